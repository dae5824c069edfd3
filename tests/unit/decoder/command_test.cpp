// SPDX-License-Identifier: Apache-2.0
// pes-decode as a subprocess: every user error, and the contract of exit codes and output files.
// The programs are bare ELF headers, so that no cross compiler is needed.
#include "tests/unit/common/run_command.h"
#include "tests/unit/decoder/sample_bytes.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace pes {
namespace {

using test::bytes_of;
using test::CommandResult;
using test::event_at;
using test::record_at;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// An ELF file without sections: a valid program that has no symbols.
std::string elf_header(unsigned char elf_class, unsigned machine, unsigned type) {
    std::string bytes(64, '\0');
    bytes.replace(0, 4, ELFMAG);
    bytes[EI_CLASS] = static_cast<char>(elf_class);
    bytes[EI_DATA] = ELFDATA2LSB;
    bytes[EI_VERSION] = EV_CURRENT;
    bytes[16] = static_cast<char>(type);                                          // e_type
    bytes[18] = static_cast<char>(machine & 0xFF);                                // e_machine
    bytes[20] = EV_CURRENT;                                                       // e_version
    bytes[elf_class == ELFCLASS64 ? 52 : 40] = elf_class == ELFCLASS64 ? 64 : 52; // e_ehsize
    return bytes;
}

class PesDecode : public testing::Test {
  protected:
    void SetUp() override {
        directory_.write("app.elf", elf_header(ELFCLASS64, EM_RISCV, ET_EXEC));
        directory_.write("samples.bin", bytes_of(record_at(0x80000000)) +
                                            bytes_of(record_at(0x80000000)) +
                                            bytes_of(record_at(0x80000004)));
        directory_.write("truth.csv", "pc,count\n0x80000000,10\n");
        files_ = directory_.count();
    }

    CommandResult decode(const std::string& arguments) const {
        return test::run_command("cd " + directory_.path().string() + " && " PES_DECODE " " +
                                 arguments);
    }

    /// One sentence on the error stream, exit code 2, nothing printed, nothing written.
    void expect_user_error(const std::string& arguments, const std::string& part) const {
        const CommandResult result = decode(arguments);
        EXPECT_EQ(result.exit_code, 2) << arguments;
        EXPECT_THAT(result.err, StartsWith("pes-decode: ")) << arguments;
        EXPECT_THAT(result.err, HasSubstr(part)) << arguments;
        EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
        EXPECT_EQ(result.out, "") << arguments;
        EXPECT_EQ(directory_.count(), files_) << arguments;
    }

    test::TemporaryDirectory directory_;
    std::size_t files_ = 0;
};

TEST_F(PesDecode, PrintsAProfile) {
    const CommandResult result = decode("samples samples.bin --elf app.elf");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, HasSubstr("samples.bin: 3 samples, 0 lost"));
    EXPECT_THAT(result.out, HasSubstr("outside symbols  3"));
    EXPECT_THAT(result.out, HasSubstr("100.0 %"));
}

TEST_F(PesDecode, ReadsSamplesFromTheStandardInput) {
    const std::string rest = " --elf app.elf --json -";
    const auto from_file = nlohmann::json::parse(decode("samples samples.bin" + rest).out);
    const auto from_input =
        nlohmann::json::parse(decode("samples -" + rest + " < samples.bin").out);
    EXPECT_EQ(from_input["tables"], from_file["tables"]);
    EXPECT_EQ(from_input["summary"]["samples"], 3);
    EXPECT_EQ(decode("compare - --truth truth.csv --elf app.elf < samples.bin").exit_code, 0);
    expect_user_error("compare - --truth - --elf app.elf", "both come from the standard input");
}

TEST_F(PesDecode, HelpAndVersionAreNotErrors) {
    EXPECT_EQ(decode("--help").exit_code, 0);
    EXPECT_THAT(decode("samples --help").out, HasSubstr("--elf"));
    EXPECT_THAT(decode("--version").out, HasSubstr("pes-decode "));
}

TEST_F(PesDecode, RefusesAMissingOrUnknownSubcommand) {
    expect_user_error("", "subcommand");
    expect_user_error("sample samples.bin --elf app.elf", "unknown subcommand 'sample'");
}

TEST_F(PesDecode, RefusesAnUnknownOption) {
    expect_user_error("samples samples.bin --elf app.elf --wrong", "--wrong");
}

TEST_F(PesDecode, RefusesMissingArguments) {
    expect_user_error("samples --elf app.elf", "SAMPLES");
    expect_user_error("samples samples.bin", "--elf");
    expect_user_error("compare samples.bin --elf app.elf", "--truth");
}

TEST_F(PesDecode, RefusesAMissingSampleFile) {
    expect_user_error("samples nothing.bin --elf app.elf", "'nothing.bin'");
}

TEST_F(PesDecode, RefusesADirectoryOfSamples) {
    expect_user_error("samples . --elf app.elf", "directory");
}

TEST_F(PesDecode, RefusesAFileOfSomethingElse) {
    expect_user_error("samples truth.csv --elf app.elf", "no sample record");
    expect_user_error("compare truth.csv --elf app.elf --truth truth.csv",
                      "expected a hexadecimal address");
}

TEST_F(PesDecode, RefusesABigEndianProgram) {
    std::string bytes = elf_header(ELFCLASS64, EM_RISCV, ET_EXEC);
    bytes[EI_DATA] = ELFDATA2MSB;
    for (const std::size_t at : {16U, 18U, 20U}) { // e_type, e_machine, e_version
        std::swap(bytes[at], bytes[at == 20 ? at + 3 : at + 1]);
    }
    directory_.write("big.elf", bytes);
    files_ = directory_.count();
    expect_user_error("samples samples.bin --elf big.elf", "big-endian");
}

TEST_F(PesDecode, RefusesATruncatedProgram) {
    std::string bytes = elf_header(ELFCLASS64, EM_RISCV, ET_EXEC);
    bytes[40] = 64; // e_shoff
    bytes[58] = 64; // e_shentsize
    bytes[60] = 1;  // e_shnum
    directory_.write("cut.elf", bytes + std::string(63, '\0'));
    files_ = directory_.count();
    expect_user_error("samples samples.bin --elf cut.elf", "truncated");
}

TEST_F(PesDecode, RefusesAMissingProgram) {
    expect_user_error("samples samples.bin --elf nothing.elf", "'nothing.elf'");
}

TEST_F(PesDecode, RefusesAProgramThatIsNotAnElfFile) {
    expect_user_error("samples samples.bin --elf truth.csv", "not an ELF file");
    expect_user_error("samples samples.bin --elf .", "'.'");
}

TEST_F(PesDecode, RefusesAnEmptyProgram) {
    directory_.write("empty.elf", "");
    files_ = directory_.count();
    expect_user_error("samples samples.bin --elf empty.elf", "not an ELF file");
}

TEST_F(PesDecode, RefusesAProgramForAnotherMachine) {
    directory_.write("x86.elf", elf_header(ELFCLASS64, EM_X86_64, ET_EXEC));
    files_ = directory_.count();
    expect_user_error("samples samples.bin --elf x86.elf", "machine 62");
}

TEST_F(PesDecode, TakesAThirtyTwoBitProgram) {
    directory_.write("rv32.elf", elf_header(ELFCLASS32, EM_RISCV, ET_EXEC));
    for (const std::string command : {"samples samples.bin --elf rv32.elf",
                                      "compare samples.bin --elf rv32.elf --truth truth.csv"}) {
        const CommandResult result = decode(command);
        EXPECT_EQ(result.exit_code, 0) << command;
        EXPECT_EQ(result.err, "") << command;
        EXPECT_THAT(result.out, HasSubstr("3 samples")) << command;
    }
}

TEST_F(PesDecode, RefusesAnObjectFile) {
    directory_.write("app.o", elf_header(ELFCLASS64, EM_RISCV, ET_REL));
    files_ = directory_.count();
    expect_user_error("samples samples.bin --elf app.o",
                      "not linked (ELF type 1), expected an executable");
}

TEST_F(PesDecode, RefusesABadSecondProgram) {
    expect_user_error("samples samples.bin --elf app.elf --elf truth.csv", "'truth.csv'");
}

TEST_F(PesDecode, RefusesAnUnknownEvent) {
    expect_user_error("samples samples.bin --elf app.elf --event nonsense", "floating-point");
}

TEST_F(PesDecode, RefusesAnUnknownProfileAndABadProfileFile) {
    expect_user_error("samples samples.bin --elf app.elf --profile u75", "one of cva6, u74,");
    expect_user_error("samples samples.bin --elf app.elf --profile ./u75", "'./u75'");
    expect_user_error("samples samples.bin --elf app.elf --profile truth.csv", "truth.csv:1:");
    expect_user_error("samples samples.bin --elf app.elf --profile u74 --event floating-point",
                      "conditional-branch");
}

TEST_F(PesDecode, AProfileNamesTheEvents) {
    directory_.write("branches.bin", bytes_of(event_at(0x8000'0000, 3, 0x1'8000)) +
                                         bytes_of(event_at(0x8000'0000, 3, 0x101)));
    const std::string arguments = "samples branches.bin --elf app.elf --csv -";
    EXPECT_THAT(decode(arguments).out, HasSubstr("event-0x18000,"));
    const CommandResult u74 = decode(arguments + " --profile u74");
    EXPECT_EQ(u74.exit_code, 0);
    EXPECT_THAT(u74.out, AllOf(HasSubstr("\njal+jalr,"), HasSubstr("\naddress-interlock,")));
    EXPECT_THAT(decode(arguments + " --profile " PES_EXAMPLE_PROFILE).out,
                AllOf(HasSubstr("\ncycles,"), HasSubstr("event-0x18000,")));
    const CommandResult one = decode(arguments + " --profile u74 --event jalr+jal");
    EXPECT_THAT(one.out, AllOf(HasSubstr("\njal+jalr,"), Not(HasSubstr("address-interlock"))));
}

TEST_F(PesDecode, AProfileFileIsAnInput) {
    directory_.write("mine.toml", test::read_file(PES_EXAMPLE_PROFILE));
    const CommandResult result =
        decode("samples samples.bin --elf app.elf --profile mine.toml --csv ./mine.toml");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("input"));
}

TEST_F(PesDecode, RefusesAnUnknownGrouping) {
    expect_user_error("samples samples.bin --elf app.elf --by colour",
                      "expected function, line, block or address");
    expect_user_error("compare samples.bin --elf app.elf --truth truth.csv --by file",
                      "expected function, line, block or address");
    expect_user_error("samples samples.bin --elf app.elf --by block", "holds no code");
}

class PesDecodeSkid : public PesDecode {
  protected:
    void SetUp() override {
        PesDecode::SetUp();
        directory_.write("app.elf", elf_with_code());
        directory_.write("crossings.csv",
                         header_ +
                             "0,2,threshold,0x0,100,90,U,0x0,0x80000000,110,95,U,0x0,0x80000000\n"
                             "0,2,threshold,0x0,200,180,U,0x0,0x80000000,210,182,U,0x0,0x80000004\n"
                             "0,3,overflow,0x5,300,,,,,,,,,\n");
        files_ = directory_.count();
    }

    /// A program whose one segment is two instructions.
    static std::string elf_with_code() {
        Elf64_Ehdr header{};
        const std::string bytes = elf_header(ELFCLASS64, EM_RISCV, ET_EXEC);
        std::memcpy(&header, bytes.data(), sizeof(header));
        header.e_phoff = sizeof(header);
        header.e_phentsize = sizeof(Elf64_Phdr);
        header.e_phnum = 1;
        const std::string code("\x13\0\0\0\x13\0\0\0", 8);
        Elf64_Phdr segment{};
        segment.p_type = PT_LOAD;
        segment.p_flags = PF_R | PF_X;
        segment.p_offset = sizeof(header) + sizeof(segment);
        segment.p_vaddr = 0x80000000;
        segment.p_filesz = segment.p_memsz = code.size();
        return std::string(reinterpret_cast<const char*>(&header), sizeof(header)) +
               std::string(reinterpret_cast<const char*>(&segment), sizeof(segment)) + code;
    }

    const std::string header_ =
        "hart,counter,kind,event,cycle,instret,privilege,satp,pc,trap_cycle,trap_instret,"
        "trap_privilege,trap_satp,trap_pc\n";
};

TEST_F(PesDecodeSkid, ShowsTheDistanceOfInterruptsFromTheirCauses) {
    const CommandResult result = decode("skid crossings.csv --elf app.elf --ascii");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, HasSubstr("crossings.csv: 3 crossings\n"));
    EXPECT_THAT(result.out, HasSubstr("instret (Instruction retired): 2 crossings, 2 delivered, "
                                      "0 not delivered\n"));
    EXPECT_THAT(result.out, HasSubstr("in the causal instruction 50.0 %, wrong line 0.0 %, wrong "
                                      "block 0.0 %, wrong function 0.0 % of 2\n"));
    EXPECT_THAT(decode("skid crossings.csv --elf app.elf --event load").out,
                HasSubstr("load (Load): 1 crossings, 0 delivered, 1 not delivered\n"));
}

TEST_F(PesDecodeSkid, JoinsRecordsAndAddresses) {
    SampleRecord record = record_at(0x80000004);
    record.cycle = 230;
    directory_.write("one.bin", bytes_of(record));
    directory_.write("one.txt", "  80000004 main\n");
    for (const std::string samples : {"one.bin", "one.txt"}) {
        const CommandResult result =
            decode("skid crossings.csv --elf app.elf --json - --samples " + samples);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        const auto json = nlohmann::json::parse(result.out);
        EXPECT_EQ(json["samples"]["samples"], 1) << samples;
        EXPECT_EQ(json["samples"]["without_crossing"], 0) << samples;
        EXPECT_EQ(json["events"][0]["sampled"], 1) << samples;
        EXPECT_EQ(json["events"][0]["lost"], 1) << samples;
        EXPECT_EQ(json["events"][0]["instructions"]["highest"], 2) << samples;
    }
    EXPECT_THAT(decode("skid - --elf app.elf --samples one.bin < crossings.csv").out,
                HasSubstr("one.bin: 1 samples, 0 without a crossing"));
    EXPECT_THAT(decode("skid crossings.csv --elf app.elf --samples - < one.bin").out,
                HasSubstr("1 with a sample, 1 lost"));
}

TEST_F(PesDecodeSkid, RefusesBadFiles) {
    directory_.write("bad.csv", header_ + "0,2,threshold\n");
    directory_.write("bad.txt", "80000000\nno word\n");
    files_ = directory_.count();
    expect_user_error("skid --elf app.elf", "CROSSINGS");
    expect_user_error("skid crossings.csv", "--elf");
    expect_user_error("skid nothing.csv --elf app.elf", "'nothing.csv'");
    expect_user_error("skid truth.csv --elf app.elf", "'truth.csv' has no column hart");
    expect_user_error("skid bad.csv --elf app.elf", "'bad.csv' line 2: expected a crossing");
    expect_user_error("skid crossings.csv --elf app.elf --samples bad.txt --csv out.csv",
                      "'bad.txt' line 2");
    expect_user_error("skid crossings.csv --elf app.elf --samples no.bin", "'no.bin'");
    expect_user_error("skid - --elf app.elf --samples -", "both come from the standard input");
    expect_user_error("skid crossings.csv --elf app.elf --csv ./crossings.csv", "input");
}

TEST_F(PesDecodeSkid, SaysSoIfThereIsNoCrossing) {
    directory_.write("none.csv", header_);
    const CommandResult result = decode("skid none.csv --elf app.elf --csv -");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "pes-decode: 'none.csv': the file has no crossing\n");
}

TEST_F(PesDecode, RefusesARowLimitThatIsNotANumber) {
    expect_user_error("samples samples.bin --elf app.elf --top many", "'many'");
    expect_user_error("samples samples.bin --elf app.elf --top=-1", "'-1'");
    expect_user_error("compare samples.bin --elf app.elf --truth truth.csv --require-top x", "'x'");
}

TEST_F(PesDecode, RefusesAnUnwritableOutputAndWritesNeitherFile) {
    expect_user_error("samples samples.bin --elf app.elf --csv no/such/dir.csv", "no/such/dir.csv");
    expect_user_error("samples samples.bin --elf app.elf --csv good.csv --json no/such.json",
                      "no/such.json");
    expect_user_error("samples samples.bin --elf app.elf --json .", "'.'");
    expect_user_error("samples samples.bin --elf app.elf --csv ''", "expected a file name");
}

TEST_F(PesDecode, ReportsAFullStandardOutput) {
    const CommandResult result = decode("samples samples.bin --elf app.elf > /dev/full");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("standard output"));
}

TEST_F(PesDecode, RefusesTwoResultsOnTheStandardOutput) {
    expect_user_error("samples samples.bin --elf app.elf --csv - --json -",
                      "two outputs go to the standard output");
}

TEST_F(PesDecode, NeverReplacesAnInput) {
    expect_user_error("samples samples.bin --elf app.elf --csv samples.bin", "input");
    expect_user_error("samples samples.bin --elf app.elf --json ./app.elf", "input");
    expect_user_error("samples samples.bin --elf app.elf --csv out --json ./out", "two outputs");
    EXPECT_EQ(test::read_file(directory_ / "samples.bin").size(), 3u * kSampleSize);
}

TEST_F(PesDecode, RefusesABadTruthFile) {
    expect_user_error("compare samples.bin --elf app.elf --truth nothing.csv", "'nothing.csv'");
    expect_user_error("compare samples.bin --elf app.elf --truth samples.bin", "pc,count");
}

TEST_F(PesDecode, EmptySampleFileIsFine) {
    directory_.write("empty.bin", "");
    const CommandResult result = decode("samples empty.bin --elf app.elf --strict");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, HasSubstr("no samples"));
}

TEST_F(PesDecode, EventWithoutSamplesIsFine) {
    const CommandResult result = decode("samples samples.bin --elf app.elf --event load");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr("no samples of the chosen event"));
}

TEST_F(PesDecode, SaysWhyAProductIsEmpty) {
    directory_.write("empty.bin", "");
    const auto expect_said = [this](const std::string& arguments, const std::string& said) {
        const CommandResult result = decode(arguments);
        EXPECT_EQ(result.exit_code, 0) << arguments;
        EXPECT_EQ(result.err, said) << arguments;
    };
    const std::string none = "the file has no sample\n";
    const std::string csv = "pes-decode: 'empty.bin': --csv has no row in it: " + none;
    const std::string json = "pes-decode: 'empty.bin': --json has no row in it: " + none;
    expect_said("samples empty.bin --elf app.elf --csv -", csv);
    expect_said("samples empty.bin --elf app.elf --json -", json);
    expect_said("samples empty.bin --elf app.elf --csv out.csv --json out.json", csv + json);
    expect_said("samples samples.bin --elf app.elf --event load --csv -",
                "pes-decode: 'samples.bin': --csv has no row in it: the file has samples, but none "
                "of load\n");
    const std::string no_side = "pes-decode: 'empty.bin': the comparison has no sampled side: ";
    const std::string compare = "compare empty.bin --elf app.elf --truth truth.csv";
    expect_said(compare, no_side + none);
    expect_said(compare + " --json -", no_side + none);
    EXPECT_THAT(decode(compare + " --csv -").err, HasSubstr(no_side + none));
    expect_said("compare samples.bin --elf app.elf --truth truth.csv --event load --json -",
                "pes-decode: 'samples.bin': the comparison has no sampled side: the file has "
                "samples, but none of load\n");
    directory_.write("no_truth.csv", "pc,count\n");
    expect_said(
        "compare samples.bin --elf app.elf --truth no_truth.csv",
        "pes-decode: 'samples.bin': the comparison has no exact side: 'no_truth.csv' has no "
        "retired instructions\n");
    expect_said("compare samples.bin --elf app.elf --truth truth.csv --exclude "
                "0x80000000-0x80000010",
                "pes-decode: 'samples.bin': the comparison has no sampled side: all samples are of "
                "what is left out\n"
                "pes-decode: 'samples.bin': the comparison has no exact side: 'truth.csv' has no "
                "retired instructions besides what is left out\n");
}

TEST_F(PesDecode, CsvOnTheStandardOutputStandsAlone) {
    const CommandResult result = decode("samples samples.bin --elf app.elf --by address --csv -");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, StartsWith("event,by,rank,"));
    EXPECT_THAT(result.out, HasSubstr("instret,address,1,2,0.666667,200,,,,0x80000000,0,,0\n"
                                      "instret,address,2,1,0.333333,100,,,,0x80000004,0,,0\n"));
}

TEST_F(PesDecode, ShowsWhichSamplesHadALongerPeriodThanAskedFor) {
    SampleRecord lengthened = event_at(0x8000'0000, 4, 0x1234);
    lengthened.flags = kSampleLengthened;
    directory_.write("throttled.bin", bytes_of(record_at(0x8000'0000)) + bytes_of(lengthened) +
                                          bytes_of(lengthened) +
                                          bytes_of(event_at(0x8000'0004, 4, 0x1234)));
    const std::string arguments = "samples throttled.bin --elf app.elf --by address ";
    EXPECT_THAT(decode(arguments).out,
                HasSubstr("\n  longer period    2 samples: 2 of event-0x1234 on counter 4\n"));
    EXPECT_THAT(decode("samples samples.bin --elf app.elf").out, Not(HasSubstr("longer period")));
    const std::string csv = decode(arguments + "--csv -").out;
    EXPECT_THAT(csv, HasSubstr(",program,lengthened\n"));
    EXPECT_THAT(csv, HasSubstr("event-0x1234,address,1,2,0.666667,200,,,,0x80000000,0,,2\n"));
    EXPECT_THAT(csv, HasSubstr("event-0x1234,address,2,1,0.333333,100,,,,0x80000004,0,,0\n"));
    const auto json = nlohmann::json::parse(decode(arguments + "--json -").out);
    EXPECT_EQ(json["summary"]["lengthened"], 2);
    EXPECT_EQ(json["events"][1]["counters"][0]["lengthened"], 2);
    EXPECT_EQ(json["tables"][1]["rows"][0]["lengthened"], 2);
}

TEST_F(PesDecode, WritesCsvAndJsonBesideTheText) {
    const CommandResult result =
        decode("samples samples.bin --elf app.elf --csv out.csv --json out.json");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr("3 samples"));
    EXPECT_THAT(test::read_file(directory_ / "out.csv"), StartsWith("event,by,rank,"));
    const auto json = nlohmann::json::parse(test::read_file(directory_ / "out.json"));
    EXPECT_EQ(json["summary"]["samples"], 3);
    EXPECT_EQ(directory_.count(), files_ + 2);
}

TEST_F(PesDecode, TopLimitsTheRows) {
    const CommandResult all = decode("samples samples.bin --elf app.elf --by address --csv -");
    const CommandResult one =
        decode("samples samples.bin --elf app.elf --by address --csv - --top 1");
    EXPECT_EQ(std::count(all.out.begin(), all.out.end(), '\n'), 3);
    EXPECT_EQ(std::count(one.out.begin(), one.out.end(), '\n'), 2);
}

TEST_F(PesDecode, DamageIsReportedAndFailsOnlyUnderStrict) {
    directory_.write("damaged.bin", bytes_of(record_at(1)) + std::string(8, 'x') +
                                        bytes_of(record_at(2)) + "PES1");
    const CommandResult lenient = decode("samples damaged.bin --elf app.elf");
    EXPECT_EQ(lenient.exit_code, 0);
    EXPECT_THAT(lenient.out, HasSubstr("2 samples"));
    EXPECT_THAT(lenient.out, HasSubstr("skipped 8 bytes"));
    EXPECT_THAT(lenient.out, HasSubstr("cut off after 4 bytes"));

    const CommandResult strict = decode("samples damaged.bin --elf app.elf --strict");
    EXPECT_EQ(strict.exit_code, 1);
    EXPECT_THAT(strict.out, HasSubstr("2 samples"));
    EXPECT_THAT(strict.err, HasSubstr("pes-decode: 'damaged.bin': skipped 8 bytes"));

    const CommandResult csv = decode("samples damaged.bin --elf app.elf --csv -");
    EXPECT_EQ(csv.exit_code, 0);
    EXPECT_THAT(csv.err, HasSubstr("skipped 8 bytes"));
}

TEST_F(PesDecode, StrictFailsOnAnUnsupportedVersionAndNamesIt) {
    SampleRecord newer = record_at(1);
    newer.version = 9;
    directory_.write("newer.bin", bytes_of(newer));
    const CommandResult result = decode("samples newer.bin --elf app.elf --strict");
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("1 record(s) of version 9, expected version 1 or 2"));
}

TEST_F(PesDecode, BarsFollowTheLocaleUnlessAsciiIsAsked) {
    const std::string arguments = " samples samples.bin --elf app.elf";
    const auto run = [&](const std::string& locale, const std::string& option) {
        return test::run_command("cd " + directory_.path().string() + " && LC_ALL=" + locale +
                                 " " PES_DECODE + arguments + option)
            .out;
    };
    EXPECT_THAT(run("C.UTF-8", ""), HasSubstr("█"));
    EXPECT_THAT(run("C.UTF-8", " --ascii"), HasSubstr("####"));
    EXPECT_THAT(run("C", ""), HasSubstr("####"));
}

TEST_F(PesDecode, OutputIsTheSameEveryTime) {
    const std::string arguments = "samples samples.bin --elf app.elf --json -";
    EXPECT_EQ(decode(arguments).out, decode(arguments).out);
}

TEST_F(PesDecode, APipeIsReadAsAStreamButIsNoProgram) {
    ASSERT_EQ(::mkfifo((directory_ / "pipe").c_str(), 0600), 0);
    const CommandResult result = test::run_command("cd " + directory_.path().string() +
                                                   " && { cat samples.bin >pipe & " PES_DECODE
                                                   " samples pipe --elf app.elf; }");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("pipe: 3 samples, 0 lost"));
    files_ = directory_.count();
    expect_user_error("samples samples.bin --elf pipe", "expected a regular file");
    expect_user_error("samples samples.bin --elf app.elf --profile pipe", "pipe");
    expect_user_error("samples samples.bin --elf app.elf --csv pipe",
                      "opened this pipe for reading");
}

TEST_F(PesDecode, AFullStandardOutputIsAnErrorForHelpToo) {
    for (const char* arguments : {"--help", "--version", "trace --help"}) {
        const CommandResult result = decode(std::string(arguments) + " >/dev/full");
        EXPECT_EQ(result.exit_code, 2) << arguments;
        EXPECT_THAT(result.err, HasSubstr("cannot write to the standard output")) << arguments;
    }
}

} // namespace
} // namespace pes
