import type { EventType } from '../../domain/event/event-types.ts';
import { schemaChain } from '../../domain/vault/chain-key.ts';
import type { SchemaEntryType } from '../../domain/vault/entry-type.ts';
import {
  schemaStatement,
  type PredicateBase,
  type SchemaEventPredicate,
} from '../../domain/vault/statement.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { ChainWriter } from './chain-writer.ts';
import { aboutOrg, actorData, sealedBy, type EventOutbox } from './event-outbox.ts';
import type { Origin } from './origin.ts';
import type { SealedEntry } from '../ports/sealed-entry.ts';

/** An act on a record type of an org. */
export interface SchemaAct {
  readonly entryType: SchemaEntryType;
  readonly event: EventType;
  readonly subject: Omit<SchemaEventPredicate, keyof PredicateBase<SchemaEntryType>>;
}

/** Seals acts on record types on the schema chain of their org, and enqueues their events. */
export class SealSchema {
  constructor(
    private readonly writer: ChainWriter,
    private readonly outbox: EventOutbox,
  ) {}

  async seal(
    stores: Stores,
    origin: Origin,
    { entryType, event, subject }: SchemaAct,
  ): Promise<SealedEntry> {
    const { orgId, ...rest } = subject;
    const chain = await this.writer.lockVerified(stores, schemaChain(orgId));
    const entry = await this.writer.seal(
      chain,
      schemaStatement(this.writer.predicateBase, {
        entryType,
        at: chain.at,
        requestId: origin.requestId,
        actor: origin.actor,
        ...subject,
      }),
      { entryType, recordId: null, orgId },
      origin,
    );
    await this.writer.append(stores, chain, [entry], 'no-row');
    await this.outbox.enqueue(
      stores,
      sealedBy(entry, origin.requestId),
      event,
      aboutOrg(orgId, origin),
      { aboutOrgId: orgId, ...rest, actor: actorData(origin) },
    );
    return entry;
  }
}
