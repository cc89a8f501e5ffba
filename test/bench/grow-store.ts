/**
 * `npx tsx test/bench/grow-store.ts FOLDER RECORDS`: a store of SQLite with so many records, as a service would have
 * written it: opened, sealed, announced, taken over into the log of their org and covered by checkpoints. Every tenth is
 * a job that was delivered and judged. FOLDER then holds `data` and `keys`, and `world.json` with the credentials.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteConnection } from '../../adapters/sql/sqlite/sqlite-connection.ts';
import type { SqlUnitOfWork } from '../../adapters/sql/commit/unit-of-work.ts';
import type { UnitContext } from '../../adapters/sql/tables/unit-context.ts';
import { CHAIN_ENTRIES, CHAIN_HEADS } from '../../adapters/sql/vault/chain-row.ts';
import { SqlStores } from '../../adapters/sql/sql-stores.ts';
import { PinoLog } from '../../adapters/system/pino-log.ts';
import type { CallContext } from '../../application/call/call-context.ts';
import { Authenticate } from '../../application/identity/authenticate.ts';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import { ApplyChange } from '../../application/record/apply-change.ts';
import { JudgeCompletion } from '../../application/record/judge-completion.ts';
import { OpenRecord, type Draft } from '../../application/record/open-record.ts';
import { RecordChains } from '../../application/sealing/record-chains.ts';
import { originOf } from '../../application/sealing/origin.ts';
import { IntegrateEntries } from '../../application/transparency/integrate-entries.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import { startService, type RunningService } from '../../config/service.ts';
import { loadSettings } from '../../config/settings.ts';
import { TOKENS } from '../../config/tokens.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { Completion } from '../../domain/record/completion.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { actingOn } from '../../domain/record/sides.ts';
import type { Stores } from '../../application/ports/unit-of-work.port.ts';
import type { OpenChain } from '../../application/sealing/open-chain.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import { NO_LIMITS } from '../support/service/service-process.ts';
import { createWorld, type Client, type World } from '../support/service/world.ts';

/** Records in a unit of work, and units that are made at once. */
const UNIT = 250;
const UNITS = 4;
const JOB_EVERY = 10;

/** What a grown store is reached with. */
export interface GrownStore {
  readonly orgId: string;
  readonly platformKey: string;
  readonly adminKey: string;
  readonly principal: { readonly id: string; readonly key: string };
  readonly performer: { readonly id: string; readonly key: string };
  /** The first record, the one in the middle and the last one. */
  readonly records: readonly string[];
}

/** What a crash loses is made anew. */
const withoutWaitingForTheDisk = (): void => {
  const { exec } = SqliteConnection.prototype;
  const hurried = new WeakSet<SqliteConnection>();
  SqliteConnection.prototype.exec = function (sql: string): void {
    exec.call(this, sql);
    if (hurried.has(this)) return;
    hurried.add(this);
    for (const pragma of HURRIED) this.database.exec(`PRAGMA ${pragma}`);
  };
};

const HURRIED = ['synchronous = OFF', 'cache_size = -500000', 'wal_autocheckpoint = 20000'];

export const growStore = async (folder: string, records: number): Promise<GrownStore> => {
  withoutWaitingForTheDisk();
  mkdirSync(folder, { recursive: true });
  const { settings } = loadSettings(
    {
      NODE_ENV: 'test',
      PORT: '0',
      ROLE: 'api',
      DATA_DIR: join(folder, 'data'),
      KEYS_DIR: join(folder, 'keys'),
      ...NO_LIMITS,
    },
    { cwd: folder },
  );
  const service = await startService(settings, new PinoLog('error', process.stderr));
  try {
    const { apiKey } = await service.container.get(BootstrapPlatform).execute();
    const world = await createWorld(String(service.url), apiKey);
    const made = await new Grower(service, world).grow(records);
    const grown: GrownStore = {
      orgId: world.orgId,
      platformKey: apiKey,
      adminKey: String(world.admin.key),
      principal: { id: world.principal.id, key: String(world.principal.client.key) },
      performer: { id: world.performer.id, key: String(world.performer.client.key) },
      records: made,
    };
    writeFileSync(join(folder, 'world.json'), `${JSON.stringify(grown, null, 2)}\n`);
    return grown;
  } finally {
    await service.stop();
  }
};

/** Writes records through the product's own parts, without HTTP and many to a commit. */
class Grower {
  private readonly unitOfWork: SqlUnitOfWork;
  private readonly openRecord: OpenRecord;
  private readonly chains: RecordChains;
  private readonly applyChange: ApplyChange;
  private readonly judge: JudgeCompletion;
  private readonly integrate: IntegrateEntries;
  private readonly round: CheckpointRound;

  constructor(
    private readonly service: RunningService,
    private readonly world: World,
  ) {
    const { container } = service;
    this.unitOfWork = container.get(TOKENS.sql).unitOfWork as SqlUnitOfWork;
    this.openRecord = container.get(OpenRecord);
    this.chains = container.get(RecordChains);
    this.applyChange = container.get(ApplyChange);
    this.judge = container.get(JudgeCompletion);
    this.integrate = container.get(IntegrateEntries);
    this.round = container.get(CheckpointRound);
  }

  /** @returns the ids of the first record, of the one in the middle and of the last. */
  async grow(records: number): Promise<readonly string[]> {
    const [principal, performer] = [
      await this.contextOf(this.world.principal.client),
      await this.contextOf(this.world.performer.client),
    ];
    const note = await this.openRecord.draft(principal, {
      type: 'note',
      criteria: { text: 'x'.repeat(960) },
    });
    const job = await this.openRecord.draft(principal, {
      type: 'job',
      criteria: { goal: 'x'.repeat(900), threshold: 1 },
      performerAgentId: this.world.performer.id,
      autoActivate: true,
    });
    const begun = performance.now();
    const kept: string[] = [];
    let made = 0;
    while (made < records) {
      const units = Array.from({ length: UNITS }, (_, unit) =>
        Math.min(UNIT, records - made - unit * UNIT),
      ).filter((size) => size > 0);
      const ids = await Promise.all(
        units.map((size) =>
          this.unitOfWork.run(async (unit) => {
            const own: string[] = [];
            for (let n = 0; n < size; n++)
              own.push(
                n % JOB_EVERY === 0
                  ? await this.job(unit, job, principal, performer)
                  : await this.note(unit, note, principal),
              );
            return own;
          }),
        ),
      );
      const all = ids.flat();
      if (made === 0) kept.push(all[0]!);
      if (made < records / 2 && made + all.length >= records / 2) kept.push(all.at(-1)!);
      made += all.length;
      if (made >= records) kept.push(all.at(-1)!);
      if (made % INTEGRATE_EVERY === 0) await this.integrate.run();
      if (made % TELL_EVERY === 0) tell(`${made} records`, begun);
      if (made % ROUND_EVERY === 0) await this.cover(begun);
    }
    await this.integrate.run();
    await this.cover(begun);
    return kept;
  }

  private async cover(begun: number): Promise<void> {
    const round = await this.round.run();
    tell(`${round?.covered} checkpoints, ${round?.uncovered.length} chains not covered`, begun);
  }

  private async note(unit: UnitContext, draft: Draft, context: CallContext): Promise<string> {
    const opened = await this.openRecord.open(new SqlStores(unit), context, draft);
    return opened.record.id;
  }

  /** Opened, delivered and accepted; its row and its head are written once, as they are in the end. */
  private async job(
    unit: UnitContext,
    draft: Draft,
    principal: CallContext,
    performer: CallContext,
  ): Promise<string> {
    const written = new WrittenOnce(unit);
    const { stores } = written;
    const { record } = await this.openRecord.open(stores, principal, draft);
    const { recordType } = draft(record.id, record.createdAt);
    const id = this.service.container.get(TOKENS.ids).next();
    const evidence = { score: 5, log: 'y'.repeat(900) };
    const open = new NotaryRecord(record);
    const chain = written.chain();
    const judged = await this.judge.completion(recordType.manifest, {
      record,
      completion: {
        id,
        revision: 1,
        evidence,
        evidenceHash: hashJson(evidence),
        submittedAt: chain.at,
      },
      children: [],
    });
    const submitted = open.submit(
      open.transitionFor('submit-completion', actingOn(performer.caller, record)),
      { id, evidence, by: actorOf(performer.caller), position: 2 },
      judged,
      chain.at,
    );
    await this.applyChange.single({ stores, chain }, originOf(performer), submitted);
    const delivered = new NotaryRecord(submitted.after);
    const next = written.chain();
    const accepted = delivered.renderVerdict(
      delivered.transitionFor('render-verdict', actingOn(principal.caller, submitted.after), [
        'FULFILLED',
      ]),
      submitted.completion as Completion,
      { verdict: 'accept', reason: null, by: actorOf(principal.caller) },
      next.at,
    );
    await this.applyChange.single({ stores, chain: next }, originOf(principal), accepted);
    await written.end(accepted.completion as Completion);
    return record.id;
  }

  private async contextOf({ key }: Client): Promise<CallContext> {
    const requestId = this.service.container.get(TOKENS.ids).next();
    const caller = await this.service.container
      .get(Authenticate)
      .authenticate({ token: String(key), address: '127.0.0.1', requestId });
    return { caller, requestId };
  }
}

/** The stores of a record that is opened, changed and ended in one unit of work. */
class WrittenOnce {
  readonly stores: Stores;
  private readonly inner: SqlStores;
  private record: RecordState | null = null;
  private head: ChainEntry | null = null;

  constructor(private readonly unit: UnitContext) {
    this.inner = new SqlStores(unit);
    const keepRecord = async (record: RecordState): Promise<void> => void (this.record = record);
    const keepEntries = async (...entries: readonly ChainEntry[]): Promise<void> => {
      for (const entry of entries) unit.insert(CHAIN_ENTRIES, CHAIN_ENTRIES.toRow(entry));
      this.head = entries.at(-1) ?? null;
    };
    this.stores = {
      records: { insert: keepRecord, update: keepRecord },
      chains: { begin: keepEntries, append: keepEntries },
      outbox: this.inner.outbox,
      coSignedRequests: this.inner.coSignedRequests,
    } as unknown as Stores;
  }

  /** For the next entry. */
  chain(): OpenChain {
    const head = this.head!;
    return { chainKey: head.chainKey, head, at: head.at };
  }

  async end(completion: Completion): Promise<void> {
    await this.inner.records.insert(this.record!);
    await this.inner.completions.insert(completion);
    this.unit.insert(CHAIN_HEADS, CHAIN_HEADS.toRow(this.head!));
  }
}

const INTEGRATE_EVERY = 5_000;
const TELL_EVERY = 50_000;
const ROUND_EVERY = 500_000;

const tell = (what: string, begun: number): void =>
  void process.stderr.write(`${what}, ${((performance.now() - begun) / 1000).toFixed(0)} s\n`);

const [folder, records] = process.argv.slice(2);
if (import.meta.filename === process.argv[1] && folder && records)
  await growStore(folder, Number(records));
