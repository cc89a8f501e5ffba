import type { RewindReads } from '../../domain/vault/rewind-store.port.ts';
import type { RewindFinding } from '../../domain/vault/rewind.ts';
import type { CallContext } from '../call/call-context.ts';

const MOST = 1_000;

/** What was found, the newest first. */
export class ListRewinds {
  constructor(private readonly reads: RewindReads) {}

  execute(_context: CallContext, _input: object): Promise<readonly RewindFinding[]> {
    return this.reads.list(MOST);
  }
}
