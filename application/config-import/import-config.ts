import type { Clock } from '../../domain/kernel/clock.port.ts';
import { SYSTEM_ORG_SLUG } from '../../domain/identity/org.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import { systemOrigin, type Origin } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { SealSchema } from '../sealing/seal-schema.ts';
import { DuplicateError, type Stores, type UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import type { CarriedAgent, CarriedConfig, CarriedOrg, CarriedType } from './carried-config.ts';
import { compareTarget, type AlreadyThere, type TargetReads } from './compare-target.ts';
import type { ConfigSource } from './config-source.port.ts';
import { manifestOf } from './read-types.ts';

export interface Counts {
  readonly created: number;
  /** Carried over by an earlier run. */
  readonly present: number;
}

export interface ImportedConfig {
  readonly orgs: Counts;
  readonly agents: Counts;
  readonly recordTypes: Counts;
}

export interface ImportOptions {
  readonly isDryRun: boolean;
  readonly onProgress: (done: number, of: number) => void;
}

/**
 * Makes the orgs, agents and record types of another database anew, under their ids: sealed on the chains of this hub,
 * by the system. What depends on what comes after it, each with all that is sealed about it in one unit of work, so that
 * a run that was interrupted is continued by another.
 */
export class ImportConfig {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sealPlatform: SealPlatform,
    private readonly sealSchema: SealSchema,
    private readonly ledger: PlatformLedger,
    private readonly reads: TargetReads,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** @throws CONFLICT before anything is written, where the vault is the source itself or holds something else. */
  async execute(
    source: ConfigSource,
    config: CarriedConfig,
    { isDryRun, onProgress }: ImportOptions,
  ): Promise<ImportedConfig> {
    if (config.source.hub.hubId === this.vault.hub.hubId) throw sameHub();
    const there = await compareTarget(this.reads, config);
    if (!isDryRun) await this.write(source, config, there, onProgress);
    return {
      orgs: countsOf(config.orgs, there.orgs),
      agents: countsOf(config.agents, there.agents),
      recordTypes: countsOf(config.recordTypes, there.recordTypes),
    };
  }

  private async write(
    source: ConfigSource,
    config: CarriedConfig,
    there: AlreadyThere,
    onProgress: ImportOptions['onProgress'],
  ): Promise<void> {
    const origin = systemOrigin(this.ids.next());
    const { hubId } = config.source.hub;
    const missing = <T extends { readonly id: string }>(all: readonly T[], ids: Set<string>) =>
      all.filter(({ id }) => !ids.has(id));
    const orgs = missing(config.orgs, there.orgs as Set<string>);
    const agents = missing(config.agents, there.agents as Set<string>);
    const types = missing(config.recordTypes, there.recordTypes as Set<string>);
    const total = orgs.length + agents.length + types.length;
    let done = 0;
    const carried = new Set(config.orgs.map(({ id }) => id));
    const inUnits = async <T>(
      items: readonly T[],
      make: (stores: Stores, item: T) => Promise<void>,
    ): Promise<void> => {
      for (let at = 0; at < items.length; at += TOGETHER) {
        const batch = items.slice(at, at + TOGETHER);
        await this.once(async (stores) => {
          for (const item of batch) await make(stores, item);
          await this.assertAlone(stores, carried);
        });
        onProgress((done += batch.length), total);
      }
    };
    await inUnits(orgs, (stores, org) => this.makeOrg(stores, origin, org, hubId));
    await inUnits(agents, (stores, agent) => this.makeAgent(stores, origin, agent, hubId));
    await inUnits(types, (stores, type) => this.makeType(stores, origin, type, source));
  }

  private async once(work: (stores: Stores) => Promise<void>): Promise<void> {
    try {
      await this.unitOfWork.transaction(work);
    } catch (error) {
      if (!(error instanceof DuplicateError)) throw error;
      throw new NotaryError(
        'CONFLICT',
        'Another process made the same orgs, agents or record types at the same time.',
        { suggestion: 'Run the command again: it goes on where the two met.' },
        { cause: error },
      );
    }
  }

  /**
   * What was compared before the first write may have changed since. Whatever makes an org has the lock of the platform
   * chain that this unit has now, so of two runs from different sources one finds the orgs of the other, and ends.
   */
  private async assertAlone(stores: Stores, carried: ReadonlySet<string>): Promise<void> {
    const facts = await this.ledger.factsWithin(stores.chains);
    const own = facts.orgOfSlug(SYSTEM_ORG_SLUG);
    for (const org of facts.orgs())
      if (org !== own && !carried.has(org))
        throw new NotaryError(
          'CONFLICT',
          `The org ${org}, which is not in the source, was made in the database of this configuration while this command ran: by another notary import-config, or by a service that runs on it. Nothing more is carried over.`,
          {
            suggestion:
              'Let one command at a time write, with no service beside it, and carry over into an empty database.',
          },
        );
  }

  private async makeOrg(
    stores: Stores,
    origin: Origin,
    { id, slug, name, settings, publishers, position }: CarriedOrg,
    hubId: string,
  ): Promise<void> {
    for (const label of publishers.toSorted()) await stores.recordTypes.lockPublisher(label);
    const facts = await this.ledger.factsWithin(stores.chains);
    if (facts.orgOfSlug(slug) !== null)
      throw new NotaryError('CONFLICT', `The slug ${slug} was taken at the same time.`);
    const taken = publishers.find((label) => facts.publisherOf(label) !== null);
    if (taken !== undefined)
      throw new NotaryError('CONFLICT', `The publisher label ${taken} belongs to another org.`);
    await stores.orgs.insert({
      id,
      slug,
      name,
      createdAt: this.now(),
      managedBy: null,
      settings,
      version: 1,
    });
    const carriedFrom = { hubId, position };
    await this.sealPlatform.seal(stores, origin, {
      entryType: 'ORG_CREATED',
      orgId: id,
      rows: { [id]: 1 },
      members: { slug, name, settings: { ...settings }, carriedFrom },
      event: 'admin.org_created',
      eventData: { aboutOrgId: id, slug, name },
    });
    for (const publisher of publishers)
      await this.sealPlatform.seal(stores, origin, {
        entryType: 'PUBLISHER_CLAIMED',
        orgId: id,
        rows: {},
        members: { publisher },
      });
  }

  private async makeAgent(
    stores: Stores,
    origin: Origin,
    { position, isDeactivated, deactivationReason, ...agent }: CarriedAgent,
    hubId: string,
  ): Promise<void> {
    const at = this.now();
    // The row is as its last entry leaves it.
    await stores.agents.insert({
      ...agent,
      deactivatedAt: isDeactivated ? at : null,
      deactivationReason,
      absences: [],
      managedBy: null,
      createdAt: at,
      version: isDeactivated ? 2 : 1,
    });
    const { id, orgId, name } = agent;
    const members = { agentId: id, name, capabilities: [...agent.capabilities] };
    await this.sealPlatform.seal(stores, origin, {
      entryType: 'AGENT_CREATED',
      orgId,
      rows: { [id]: 1 },
      members: { ...members, carriedFrom: { hubId, position } },
      event: 'agent.created',
      eventData: members,
      agentId: id,
    });
    if (isDeactivated)
      await this.sealPlatform.seal(stores, origin, {
        entryType: 'AGENT_DEACTIVATED',
        orgId,
        rows: { [id]: 2 },
        members: { agentId: id, reason: deactivationReason },
        event: 'agent.deactivated',
        agentId: id,
      });
  }

  private async makeType(
    stores: Stores,
    origin: Origin,
    carried: CarriedType,
    source: ConfigSource,
  ): Promise<void> {
    const { id: _id, status, ...subject } = carried;
    await stores.recordTypes.lockPublisher(subject.publisher);
    const entry = await this.sealSchema.seal(stores, origin, {
      entryType: 'SCHEMA_IMPORTED',
      event: 'schema.imported',
      subject: { ...subject, status: 'active' },
    });
    if (status === 'disabled')
      await this.sealSchema.seal(stores, origin, {
        entryType: 'SCHEMA_STATUS_CHANGED',
        event: 'schema.status_changed',
        subject: { ...subject, status },
      });
    await stores.recordTypes.insert({
      ...carried,
      manifest: await manifestOf(source, carried),
      registeredBy: null,
      registeredAt: entry.at,
      entryPosition: entry.position,
    });
  }

  private now(): string {
    return this.clock.now().toISOString();
  }
}

/** Few enough that a crash loses little and nobody waits long, and enough that a commit is shared. */
const TOGETHER = 20;

const countsOf = (all: readonly { readonly id: string }[], there: ReadonlySet<string>): Counts => ({
  created: all.length - there.size,
  present: there.size,
});

export const sameHub = (): NotaryError =>
  new NotaryError(
    'CONFLICT',
    'The source and the database of this configuration are of the same notary: one is the other, or a copy of it. Nothing was written.',
    { suggestion: 'Set DATABASE_URL or DATA_DIR to a new database, which is to take it over.' },
  );
