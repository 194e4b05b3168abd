import { dlopen, FFIType } from 'bun:ffi';

/** The C library of the distributions on which Bun runs. */
const LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'] as const;

/** Calls of the C library; their results are those of the C functions. */
export interface LinuxCalls {
  prctl(option: number, first: number, second: number, third: number, fourth: number): number;
  /** @param address of an argument in memory */
  syscall(number: number, first: number, second: number, address: number): number | bigint;
}

const { i32, i64, u64, ptr } = FFIType;

/** Null where there is no Linux, or no library that can be called. */
export function linuxCalls(): LinuxCalls | null {
  if (process.platform !== 'linux') return null;
  for (const library of LIBRARIES) {
    try {
      const { symbols } = dlopen(library, {
        prctl: { args: [i32, u64, u64, u64, u64], returns: i32 },
        syscall: { args: [i64, u64, u64, ptr], returns: i64 },
      });
      return symbols as unknown as LinuxCalls;
    } catch {
      // Another distribution has another library.
    }
  }
  return null;
}

const PR_SET_DUMPABLE = 4;

/**
 * Keeps the memory and the first environment of this process (`/proc/<pid>/environ`) from other processes of
 * its user, who can then not trace it either. False where the system cannot do that.
 */
export function hideProcess(): boolean {
  return linuxCalls()?.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) === 0;
}
