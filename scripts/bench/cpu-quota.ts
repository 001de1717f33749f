/** Limits a process to a share of one core through control groups of the kernel, version 1 or 2. */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const cgroupMount = '/sys/fs/cgroup'
const cgroupV1 = join(cgroupMount, 'cpu')
const cgroupV2 = join(cgroupMount, 'cgroup.controllers')
/** Microseconds of one accounting period of CPU time: the kernel's own default. */
const periodMicroseconds = 100_000

/** Limit of CPU time that is in force for a process. */
export interface CpuQuota {
  /** Removes the limit of CPU time. */
  end: () => void
}

/**
 * Limits the CPU time of a process and of all its threads.
 *
 * @param pid - The process.
 * @param share - The part of one core that it may use: 0.1 is a tenth.
 * @returns The limit.
 * @throws When the machine has no control groups, or they are not writable.
 */
export function limitCpu(pid: number, share: number): CpuQuota {
  const isFirst = existsSync(join(cgroupV1, 'cpu.cfs_quota_us'))
  if (!isFirst && !existsSync(cgroupV2))
    throw new Error('This machine cannot bound a process: it has no control groups.')
  const parent = isFirst ? cgroupV1 : cgroupMount
  const group = join(parent, `dala-${pid}`)
  const quotaMicroseconds = Math.round(periodMicroseconds * share)
  if (!isFirst) writeFileSync(join(cgroupMount, 'cgroup.subtree_control'), '+cpu')
  mkdirSync(group)
  if (isFirst) {
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodMicroseconds))
    writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quotaMicroseconds))
  } else {
    writeFileSync(join(group, 'cpu.max'), `${quotaMicroseconds} ${periodMicroseconds}`)
  }
  writeFileSync(join(group, 'cgroup.procs'), String(pid))
  return {
    end() {
      writeFileSync(join(parent, 'cgroup.procs'), String(pid))
      rmdirSync(group)
    },
  }
}
