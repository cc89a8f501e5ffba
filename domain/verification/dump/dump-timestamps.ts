import { decodeBase64Strict } from '../../kernel/base64.ts';
import { PLATFORM_CHAIN } from '../../vault/chain-key.ts';
import type { TimestampChecker } from '../../vault/timestamp-checker.port.ts';
import type { Findings } from '../report/report.ts';
import { checkTimestamp } from '../entry/timestamp-check.ts';
import { faultIn, type DumpRow } from './rows/read-dump-rows.ts';

interface StampedMembers {
  readonly log_index: number;
  readonly chain_key: string;
  readonly position: number;
  readonly timestamp_token?: string;
}

/** The time stamps in a dump, each beside its checkpoint. */
export class DumpTimestamps {
  private newest: { readonly logIndex: number; readonly text: string; readonly at: string } | null =
    null;

  constructor(
    private readonly checker: TimestampChecker | null,
    private readonly findings: Findings,
  ) {}

  async check({ members, bytes, line }: DumpRow<StampedMembers>): Promise<void> {
    const { timestamp_token: text, chain_key: chainKey, position } = members;
    if (text === undefined) return;
    const token = decodeBase64Strict(text);
    if (!token)
      return faultIn(
        'vault_checkpoints',
        this.findings,
        `, line ${line}: its timestamp_token is not canonical base64`,
      );
    const stamp = await checkTimestamp(
      { coseSign1: bytes, token, place: { chainKey, position } },
      this.checker,
      this.findings,
    );
    if (!stamp) return;
    // The checkpoint of another chain seals no tree of the log.
    if (chainKey === PLATFORM_CHAIN)
      this.newest = {
        logIndex: members.log_index,
        text: `the log up to its leaf ${members.log_index} existed before ${stamp.genTime}, says ${stamp.authority}`,
        at: stamp.genTime,
      };
    else
      this.findings.note(
        'time stamps stand beside checkpoints that close no round: they show nothing of the log',
      );
  }

  /** Tells the newest: what it covers, it covers for all before it. */
  end(): void {
    if (this.newest) this.findings.note(this.newest.text);
  }

  /** When the whole log of so many leaves existed; ISO 8601. Null if the newest stamp does not cover all of them. */
  stampedAt(size: number): string | null {
    return this.newest?.logIndex === size - 1 ? this.newest.at : null;
  }
}
