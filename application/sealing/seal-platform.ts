import type { EventType } from '../../domain/event/event-types.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import type { PlatformEntryType } from '../../domain/vault/entry-type.ts';
import { platformStatement } from '../../domain/vault/statement.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { ChainWriter } from './chain-writer.ts';
import {
  aboutAgent,
  aboutOrg,
  actorData,
  sealedBy,
  type EventOutbox,
  type EventSubject,
} from './event-outbox.ts';
import type { Origin } from './origin.ts';
import type { SealedEntry } from '../ports/sealed-entry.ts';

/** An administrative act: on orgs, agents, API keys, issuers or certificates. */
export interface PlatformAct {
  readonly entryType: PlatformEntryType;
  readonly orgId: Uuid | null;
  /** The rows that it makes or changes, by id, with the version that they have from now on. */
  readonly rows: Readonly<Record<string, number>>;
  /** The members of its predicate. */
  readonly members: JsonObject;
  /** Left out where nobody is told. */
  readonly event?: EventType;
  /** What the event says, if that is not the members. */
  readonly eventData?: JsonObject;
  readonly agentId?: Uuid;
  /** Where it is about several agents: each is told of its own part, and the operators of each org of theirs. */
  readonly parts?: readonly PlatformPart[];
}

interface PlatformPart {
  readonly agentId: Uuid;
  readonly orgId: Uuid;
  /** Instead of the members. */
  readonly eventData: JsonObject;
}

/** Seals administrative acts on the platform chain, and enqueues their events. */
export class SealPlatform {
  constructor(
    private readonly writer: ChainWriter,
    private readonly outbox: EventOutbox,
  ) {}

  async seal(stores: Stores, origin: Origin, act: PlatformAct): Promise<SealedEntry> {
    const { entryType, orgId } = act;
    const chain = await this.writer.lockVerified(stores, PLATFORM_CHAIN);
    const entry = await this.writer.seal(
      chain,
      platformStatement(this.writer.predicateBase, {
        entryType,
        at: chain.at,
        requestId: origin.requestId,
        actor: origin.actor,
        ...(orgId ? { orgId } : {}),
        ...act.members,
        rowVersions: act.rows,
      }),
      { entryType, recordId: null, orgId },
      origin,
    );
    await this.writer.append(stores, chain, [entry], 'no-row');
    if (act.event)
      for (const part of act.parts ?? [act])
        await this.outbox.enqueue(
          stores,
          sealedBy(entry, origin.requestId),
          act.event,
          subjectOf({ ...part, event: act.event }, origin),
          { ...(part.eventData ?? act.members), actor: actorData(origin) },
        );
    return entry;
  }
}

/** An event about a key or a certificate is its owner's; one about an org or an issuer is nobody's own. */
const subjectOf = (
  { orgId, agentId, event }: Pick<PlatformAct, 'orgId' | 'agentId' | 'event'>,
  origin: Origin,
): EventSubject => (agentId && isOwn(event) ? aboutAgent(orgId, agentId) : aboutOrg(orgId, origin));

const isOwn = (type: EventType | undefined): boolean =>
  type !== undefined && /^(?:agent|key|cert)\./.test(type);
