import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Subject } from '../../domain/identity/on-behalf-of.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { ReferenceTarget } from '../../domain/kernel/reference-target.ts';
import type { RunOnce } from '../idempotency/run-once.ts';
import type { DelegateRecord } from './delegate-record.ts';
import type { OpenRecord } from './open-record.ts';
import type { RecordResult } from './results.ts';

export interface CreateRecordInput {
  readonly type: string;
  readonly criteria: JsonObject;
  readonly contractVersion?: number;
  readonly publisher?: string;
  readonly platform?: string;
  readonly platformRef?: string;
  readonly principalAgentId?: Uuid;
  readonly performerAgentId?: Uuid;
  readonly autoActivate?: boolean;
  readonly expiresAt?: string;
  readonly ttlSeconds?: number;
  readonly message?: string;
  readonly parentRecordId?: Uuid;
  readonly references?: readonly (Pick<ReferenceTarget, 'kind' | 'uri'> &
    Partial<ReferenceTarget>)[];
  /** An assertion. */
  readonly onBehalfOf?: { readonly subject: Subject; readonly act?: readonly Subject[] };
  readonly federation?: JsonObject;
}

/** Opens a record, on its own or under another; of a notarize-only type, seals it for good in the same call. */
export class CreateRecord {
  constructor(
    private readonly runOnce: RunOnce,
    private readonly openRecord: OpenRecord,
    private readonly delegateRecord: DelegateRecord,
  ) {}

  async execute(context: CallContext, input: CreateRecordInput): Promise<RecordResult> {
    const { parentRecordId } = input;
    if (parentRecordId !== undefined)
      return this.delegateRecord.open(
        context,
        await this.openRecord.draft(
          context,
          input,
          await this.delegateRecord.parent(context, parentRecordId),
        ),
        parentRecordId,
      );
    const draft = await this.openRecord.draft(context, input);
    return this.runOnce.execute(context, (stores) => this.openRecord.open(stores, context, draft));
  }
}
