# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# Debian's packages for riscv64, fetched with a second apt configuration beside the machine's own. For
# scripts that source it and set: $name, which messages begin with; $mirror, empty for the one that apt is
# set up for; $packages_of, the folder that each suite has a folder in.

require_tools() { # tool...
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || { echo "$name: $tool is not installed" >&2; exit 2; }
    done
}

configure_apt() { # suite
    local suite=$1 apt=$packages_of/$1/apt
    if [[ -z $mirror ]]; then
        # shellcheck disable=SC2016 # apt's own variables
        mirror=$(apt-get indextargets --format '$(ORIGIN) $(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
            awk '$1 == "Debian" && $2 !~ /security/ { print $3; exit }')
    fi
    [[ -n $mirror ]] || { echo "$name: apt has no Debian mirror here, give one with --mirror" >&2; exit 77; }
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    : >"$apt/status"
    cat >"$apt/debian.sources" <<END
Types: deb
URIs: $mirror
Suites: $suite
Components: main
Architectures: riscv64
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
    cat >"$apt/apt.conf" <<END
APT::Architecture "riscv64";
APT::Architectures { "riscv64"; };
APT::Sandbox::User "";
Dir::Etc::sourcelist "$apt/debian.sources";
Dir::Etc::sourceparts "-";
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
END
    export APT_CONFIG=$apt/apt.conf
}

# All that a package needs, and what that needs.
needs_of() { # package
    apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
        --no-enhances "$1" | grep '^[^ ]' | sort -u
}

# The kernel with its modules, perf, the libraries that perf's dependencies reach, and a shell. False: not
# all are there. What an earlier call has fetched whole is not fetched again.
fetch_packages() { # suite
    local packages=$packages_of/$1/packages kernel libraries
    apt-get update -qq -o APT::Update::Error-Mode=any || return 1
    # Since 7.2 the image and its modules are in packages of their own.
    mapfile -t kernel < <(needs_of linux-image-riscv64 | grep -E '^linux-(image|binary|modules)-[0-9]')
    mapfile -t libraries < <(needs_of linux-perf | grep -E '^z?lib[^:]*$')
    [[ ${#kernel[@]} -gt 0 && ${#libraries[@]} -gt 0 ]] || return 1
    mkdir -p "$packages"
    (cd "$packages" && apt-get download -qq "${kernel[@]}" linux-perf busybox-static "${libraries[@]}") || return 1
    echo "$name: $(find "$packages" -name '*.deb' | wc -l) packages of $1 fetched" >&2
    touch "$packages/with-modules"
}

# Makes the root of a file system out of packages of the suite and all that they need. False: not all can be
# fetched.
make_root() { # root package...
    local root=$1 place package packages
    shift
    packages=$packages_of/$suite/$(basename "$root")
    configure_apt "$suite"
    apt-get update -qq -o APT::Update::Error-Mode=any || return 1
    mkdir -p "$packages" "$root"/{dev,proc,sys,tmp,root}
    mapfile -t packages_needed < <(for package in "$@"; do needs_of "$package"; done | grep -v '^<' | sort -u)
    (cd "$packages" && apt-get download -qq "${packages_needed[@]}") || return 1
    unset APT_CONFIG
    for place in bin lib sbin; do # as base-files has them
        mkdir -p "$root/usr/$place"
        ln -sfn "usr/$place" "$root/$place"
    done
    for package in "$packages"/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --keep-directory-symlink
    done
}

# Sets $suite to the first of these suites whose packages are here, or else can be fetched. Without any named: the
# one whose kernel scripts/linux.sh has booted in this folder, else one of Debian's.
choose_suite() { # [NAME,...]
    local wanted names=$1
    [[ -n $names || ! -s $packages_of/suite ]] || names=$(<"$packages_of/suite")
    IFS=, read -ra wanted <<<"${names:-trixie,forky,sid}"
    for suite in "${wanted[@]}"; do
        [[ ! -e $packages_of/$suite/packages/with-modules ]] || return 0
    done
    for suite in "${wanted[@]}"; do
        configure_apt "$suite"
        if fetch_packages "$suite"; then
            unset APT_CONFIG
            return 0
        fi
        echo "$name: the packages of $suite cannot be fetched" >&2
    done
    exit 77
}

# The kernel among a suite's packages, as uname -r has it.
kernel_of() { # suite
    basename "$packages_of/$1"/packages/linux-image-*.deb | sed -E 's/^linux-image-(.*)_[^_]*_riscv64.deb$/\1/'
}

# What modules for that kernel are built with: the headers of the same version, and the programs of its build.
fetch_headers() { # suite
    local headers=$packages_of/$1/headers kernel version base
    kernel=$(kernel_of "$1")
    [[ ! -e $headers/for-$kernel ]] || return 0
    version=$(dpkg-deb -f "$packages_of/$1"/packages/linux-image-*.deb Version)
    base=${kernel%-riscv64}
    rm -rf "$headers"
    mkdir -p "$headers"
    configure_apt "$1"
    if ! apt-get update -qq -o APT::Update::Error-Mode=any ||
        ! (cd "$headers" && apt-get download -qq "linux-headers-$kernel=$version" \
            "linux-headers-$base-common=$version" "linux-kbuild-$base=$version"); then
        echo "$name: the mirror has no headers for kernel $version; without $packages_of/$1 a newer kernel is fetched" >&2
        exit 77
    fi
    unset APT_CONFIG
    touch "$headers/for-$kernel"
}

# Unpacks the suite's packages; of the kernel's modules only those that are named, as far as they are not
# built in.
unpack_packages() { # folder module...
    local folder=$1 package module modules=()
    shift
    for module in "$@"; do
        modules+=("./usr/lib/modules/*/kernel/*/$module.ko*")
    done
    mkdir -p "$folder"
    for package in "$packages_of/$suite"/packages/*.deb; do
        dpkg-deb --fsys-tarfile "$package" >"$folder/package.tar"
        tar -x -C "$folder" --exclude='./usr/share/*' --exclude='./usr/lib/modules/*/kernel' -f "$folder/package.tar"
        if [[ ${#modules[@]} != 0 && $(basename "$package") == linux-@(image|modules)-* ]]; then
            tar -x -C "$folder" --wildcards -f "$folder/package.tar" "${modules[@]}" 2>/dev/null || true
        fi
    done
    rm "$folder/package.tar"
}

# Adds the shared libraries that a file needs, and those that they need, from the unpacked packages.
add_libraries() { # folder root file
    local library needed
    while read -r needed; do
        [[ ! -e $2/lib/$needed ]] || continue
        library=$(find "$1/usr/lib" -name "$needed" | head -n 1)
        [[ -n $library ]] || { echo "$name: no package has $needed" >&2; exit 1; }
        cp -L "$library" "$2/lib/$needed"
        add_libraries "$1" "$2" "$2/lib/$needed"
    done < <(readelf -d "$3" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
}

# Copies the modules of these names from the unpacked packages, without compression, and prints the names of
# those that are there; the others are built in.
add_modules() { # folder to module...
    local folder=$1 to=$2 module file
    shift 2
    for module in "$@"; do
        file=$(find "$folder/usr/lib/modules" -name "$module.ko*" | head -n 1)
        case $file in
        '') continue ;;
        *.xz) xz -dc "$file" >"$to/$module.ko" ;;
        *) cp "$file" "$to/" ;;
        esac
        echo "$module.ko"
    done
}

add_kernel() { # folder file
    cp "$(find "$1" -name 'vmlinu[xz]*' -size +1M | head -n 1)" "$2"
}

pack_initramfs() { # root file
    (cd "$1" && find . | sort | cpio --quiet -o -H newc -R 0:0) >"$2"
}
