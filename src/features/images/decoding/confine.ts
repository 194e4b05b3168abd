import { ptr } from 'bun:ffi';
import { linuxCalls } from '../../../shared/linux-calls.ts';

/**
 * System calls that a decoder does not need once it is loaded, by the number of each architecture: it opens and
 * changes no file, opens no connection, starts no program, and reads, traces and signals no other process. `io_uring`
 * would do most of it in other ways.
 */
const forbidden = {
  x64: {
    arch: 0xc000003e,
    calls: {
      open: 2,
      creat: 85,
      openat: 257,
      open_by_handle_at: 304,
      open_tree: 428,
      openat2: 437,
      rename: 82,
      mkdir: 83,
      rmdir: 84,
      link: 86,
      unlink: 87,
      symlink: 88,
      chmod: 90,
      truncate: 76,
      mkdirat: 258,
      unlinkat: 263,
      renameat: 264,
      linkat: 265,
      symlinkat: 266,
      fchmodat: 268,
      renameat2: 316,
      socket: 41,
      connect: 42,
      bind: 49,
      socketpair: 53,
      io_uring_setup: 425,
      execve: 59,
      execveat: 322,
      unshare: 272,
      setns: 308,
      mount: 165,
      fsopen: 430,
      bpf: 321,
      ptrace: 101,
      process_vm_readv: 310,
      process_vm_writev: 311,
      pidfd_open: 434,
      pidfd_getfd: 438,
      kill: 62,
      tkill: 200,
      rt_sigqueueinfo: 129,
      rt_tgsigqueueinfo: 297,
      pidfd_send_signal: 424,
      keyctl: 250,
      perf_event_open: 298,
      userfaultfd: 323,
    },
    signalOwn: 234,
  },
  arm64: {
    arch: 0xc00000b7,
    calls: {
      openat: 56,
      open_by_handle_at: 265,
      open_tree: 428,
      openat2: 437,
      mkdirat: 34,
      unlinkat: 35,
      symlinkat: 36,
      linkat: 37,
      renameat: 38,
      truncate: 45,
      fchmodat: 53,
      renameat2: 276,
      socket: 198,
      socketpair: 199,
      bind: 200,
      connect: 203,
      io_uring_setup: 425,
      execve: 221,
      execveat: 281,
      unshare: 97,
      setns: 268,
      mount: 40,
      fsopen: 430,
      bpf: 280,
      ptrace: 117,
      process_vm_readv: 270,
      process_vm_writev: 271,
      pidfd_open: 434,
      pidfd_getfd: 438,
      kill: 129,
      tkill: 130,
      rt_sigqueueinfo: 138,
      rt_tgsigqueueinfo: 240,
      pidfd_send_signal: 424,
      keyctl: 219,
      perf_event_open: 241,
      userfaultfd: 282,
    },
    signalOwn: 131,
  },
} as const;

// linux/filter.h and linux/seccomp.h
const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const REFUSE = 0x00050001;
const AT = { number: 0, arch: 4, firstArgument: 16 } as const;
/** Numbers of the x32 interface, which has other names for the same calls. */
const X32 = 0x40000000;

const PR_SET_NO_NEW_PRIVS = 38;
const SYS_SECCOMP = { x64: 317, arm64: 277 } as const;
const SECCOMP_SET_MODE_FILTER = 1;
/** For all threads. */
const SECCOMP_FILTER_FLAG_TSYNC = 1;

/** Argument of a decoder that only says whether it is confined. */
export const CONFINEMENT = 'confinement';

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** The program that the kernel runs before each system call of process `pid`. */
export function filterProgram(architecture: keyof typeof forbidden, pid: number): Instruction[] {
  const { arch, calls, signalOwn } = forbidden[architecture];
  const numbers = Object.values(calls);
  const tests: Instruction[] = numbers.map((number, at) => [
    JUMP_IF_EQUAL,
    // To the refusal at the end, over the other tests and the four instructions of the signal.
    numbers.length - at + 4,
    0,
    number,
  ]);
  return [
    [LOAD_WORD, 0, 0, AT.arch],
    [JUMP_IF_EQUAL, 1, 0, arch],
    [RETURN, 0, 0, REFUSE],
    [LOAD_WORD, 0, 0, AT.number],
    [JUMP_IF_AT_LEAST, numbers.length + 5, 0, X32],
    ...tests,
    // The runtime signals its own threads.
    [JUMP_IF_EQUAL, 0, 2, signalOwn],
    [LOAD_WORD, 0, 0, AT.firstArgument],
    [JUMP_IF_EQUAL, 0, 2, pid],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, REFUSE],
  ];
}

/**
 * Confines this process and all its threads for good. False where the system cannot do that: it then decodes
 * with the rights of its user.
 */
export function confine(): boolean {
  const { arch, pid } = process;
  const calls = arch === 'x64' || arch === 'arm64' ? linuxCalls() : null;
  if (calls === null || (arch !== 'x64' && arch !== 'arm64')) return false;
  const program = filterProgram(arch, pid);
  const instructions = new DataView(new ArrayBuffer(program.length * 8));
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    instructions.setUint16(at * 8, code, true);
    instructions.setUint8(at * 8 + 2, ifTrue);
    instructions.setUint8(at * 8 + 3, ifFalse);
    instructions.setUint32(at * 8 + 4, value, true);
  }
  const header = new DataView(new ArrayBuffer(16));
  header.setUint16(0, program.length, true);
  header.setBigUint64(8, BigInt(ptr(instructions)), true);
  if (calls.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) !== 0) return false;
  const end = calls.syscall(
    SYS_SECCOMP[arch],
    SECCOMP_SET_MODE_FILTER,
    SECCOMP_FILTER_FLAG_TSYNC,
    ptr(header),
  );
  return Number(end) === 0;
}
