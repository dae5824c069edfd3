// SPDX-License-Identifier: GPL-2.0-only
/* /dev/trace-perf: what a process may ask, each field checked. */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include "pes_trace.h"
#include "registers.h"

static int device_open(struct inode *inode, struct file *file)
{
	struct pes_session *session;
	int error = pes_session_open(&session, file->f_mapping);

	file->private_data = session;
	return error;
}

static int device_release(struct inode *inode, struct file *file)
{
	pes_session_close(file->private_data);
	return 0;
}

static ssize_t device_read(struct file *file, char __user *to, size_t bytes, loff_t *from)
{
	return pes_session_read(file->private_data, to, bytes, from);
}

static loff_t device_seek(struct file *file, loff_t offset, int whence)
{
	return whence == SEEK_SET ? fixed_size_llseek(file, offset, whence, U32_MAX) : -EINVAL;
}

static long tell_info(struct trace_perf_info __user *to)
{
	struct trace_perf_info info;
	const struct pes_hart *hart;
	u32 cpu;

	if (get_user(cpu, &to->cpu))
		return -EFAULT;
	if (cpu >= nr_cpu_ids || !pes_harts[cpu].encoder)
		return -ENXIO;
	hart = &pes_harts[cpu];
	memset(&info, 0, sizeof info);
	info.cpu = cpu;
	info.version = TRACE_PERF_VERSION;
	info.encoder = hart->encoder->place;
	if (hart->encoder->next && hart->encoder->next->type == IMPL_FUNNEL)
		info.funnel = hart->encoder->next->place;
	info.clock_hz = hart->clock_hz;
	info.cpus = pes_hart_count;
	info.funnels = pes_funnel_count;
	info.memory_bytes = pes_unit_has_memory(hart->sink) ? pes_session_limit() : 0;
	info.sram_bytes = hart->sink->sram_bytes;
	info.word_bytes = pes_unit_word_bytes(hart->sink);
	info.source_bits = pes_unit_source_bits(hart->encoder);
	info.time_bits = pes_unit_time_bits(hart->encoder);
	info.differences = pes_unit_differences(hart->encoder);
	info.stimulus_place = pes_unit_stimulus_place(hart->encoder);
	info.time_place = pes_unit_time_place(hart->encoder);
	return copy_to_user(to, &info, sizeof info) ? -EFAULT : 0;
}

static long claim(struct pes_session *session, const void __user *from)
{
	struct trace_perf_claim claim;

	if (copy_from_user(&claim, from, sizeof claim))
		return -EFAULT;
	return pes_session_claim(session, &claim);
}

static long tell_status(struct pes_session *session, void __user *to)
{
	struct trace_perf_status status;
	int error = pes_session_status(session, &status);

	if (error)
		return error;
	return copy_to_user(to, &status, sizeof status) ? -EFAULT : 0;
}

static long device_ioctl(struct file *file, unsigned command, unsigned long argument)
{
	void __user *with = (void __user *)argument;

	switch (command) {
	case TRACE_PERF_INFO:
		return tell_info(with);
	case TRACE_PERF_CLAIM:
		return claim(file->private_data, with);
	case TRACE_PERF_STATUS:
		return tell_status(file->private_data, with);
	}
	return -ENOTTY;
}

static vm_fault_t stimuli_fault(struct vm_fault *fault)
{
	return pes_session_fault(fault->vma->vm_file->private_data, fault);
}

static const struct vm_operations_struct stimuli_operations = {
	.fault = stimuli_fault,
};

/*
 * The page of one hart, which comes with the first access: whoever has lost the hart by then, or
 * later, has SIGBUS. A child does not inherit it: the hart has one owner. The mapping keeps the file
 * open, so the hart stays claimed as long as there is one.
 */
static int device_mmap(struct file *file, struct vm_area_struct *area)
{
	if (area->vm_end - area->vm_start != PAGE_SIZE || !(area->vm_flags & VM_SHARED) ||
	    area->vm_flags & VM_EXEC)
		return -EINVAL;
	if (!pes_session_has(file->private_data, area->vm_pgoff))
		return -ENXIO;
	vm_flags_mod(area, VM_IO | VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP | VM_DONTCOPY,
		     VM_MAYEXEC);
	area->vm_page_prot = pgprot_noncached(area->vm_page_prot);
	area->vm_ops = &stimuli_operations;
	return 0;
}

const struct file_operations pes_device_operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.read = device_read,
	.llseek = device_seek,
	.unlocked_ioctl = device_ioctl,
	.mmap = device_mmap,
};
