// Waits, hidden or not. test/unit/hidden-processes.test.ts runs it.
import { hideProcess } from '../../../src/shared/linux-calls.ts';

const isHidden = process.argv[2] === 'hidden' && hideProcess();
await Bun.write(Bun.stdout, isHidden ? 'hidden' : 'shown');
await Bun.stdin.bytes();
