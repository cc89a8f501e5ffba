import type { Container } from 'inversify';
import { JobBeats } from '../adapters/jobs/job-beats.ts';
import { repeat, repeatEverywhere, type Job, type RunningJob } from '../adapters/jobs/repeat.ts';
import { BackgroundPace } from '../application/call/background-pace.ts';
import { CallsUnderWay } from '../application/call/calls-under-way.ts';
import { Dispatcher } from '../application/delivery/dispatcher.ts';
import { ForgetPushConfigs } from '../application/delivery/forget-push-configs.ts';
import { MoveWebhookSecrets } from '../application/delivery/move-webhook-secrets.ts';
import {
  EXPORTS_JOB,
  EXPORTS_LEASE_MS,
  MakeExports,
} from '../application/compliance/make-exports.ts';
import { TellSums } from '../application/event/tell-sums.ts';
import type { Log } from '../application/ports/log.port.ts';
import { FinishEvaluations } from '../application/record/finish-evaluations.ts';
import { SweepDeadlines } from '../application/record/sweep-deadlines.ts';
import { BEAT_MS } from '../application/operations/late-jobs.ts';
import { IntegrateEntries } from '../application/transparency/integrate-entries.ts';
import { CheckReadsLogs, CUT_READS_LOG } from '../application/transparency/check-reads-logs.ts';
import { RecentFaults } from '../application/operations/recent-faults.ts';
import { OrgReadsRound } from '../application/transparency/org-reads-round.ts';
import { CheckpointRound } from '../application/vault/checkpoint-round.ts';
import { RunScan, SCAN_JOB, SCAN_LEASE_MS } from '../application/vault/scan/run-scan.ts';
import { StampRounds } from '../application/vault/stamp-rounds.ts';
import { DetachRevoked } from '../application/federation/detach-revoked.ts';
import { DeliverLanes } from '../application/federation/deliver-lanes.ts';
import { GreetPeers } from '../application/federation/greet-peers.ts';
import { RejoinLanes } from '../application/federation/rejoin-lanes.ts';
import { MoveHubKeys } from '../application/federation/move-hub-keys.ts';
import { sweepAnchors } from './anchor-jobs.ts';
import { TOKENS } from './tokens.ts';

/** Who asks for the receipt of an entry waits for no run: such an entry is taken at once. */
const INTEGRATE_EVERY_MS = 2_000;
/** Of very many entries; the next run goes on. */
const INTEGRATE_AT_MOST_MS = 20_000;

/** What is done without anybody asking for it, each on one node at a time. */
export const startJobs = (container: Container, log: Log): readonly RunningJob[] => {
  let areAllMoved = false;
  const sql = container.get(TOKENS.sql);
  const beats = container.get(JobBeats);
  const sweepDeadlines = container.get(SweepDeadlines);
  const finishEvaluations = container.get(FinishEvaluations);
  const round = container.get(CheckpointRound);
  const orgReadsRound = container.get(OrgReadsRound);
  const checkReadsLogs = container.get(CheckReadsLogs);
  const faults = container.get(RecentFaults);
  const orgReadsEvery = container.get(TOKENS.settings).CHECKPOINT_ORG_READS_INTERVAL * 60_000;
  const integrate = container.get(IntegrateEntries);
  const stamps = container.get(StampRounds);
  const scan = container.get(RunScan);
  const forgetPush = container.get(ForgetPushConfigs);
  const moveSecrets = container.get(MoveWebhookSecrets);
  const exports = container.get(MakeExports);
  const detachRevoked = container.get(DetachRevoked);
  const rejoinLanes = container.get(RejoinLanes);
  const greetPeers = container.get(GreetPeers);
  const calls = container.get(CallsUnderWay);
  const callersWait = (): boolean => calls.areAny || sql.isAwaited();
  const roundEvery = container.get(TOKENS.settings).CHECKPOINT_INTERVAL * 60_000;
  const roundPace = BackgroundPace.ofRounds(callersWait, roundEvery);
  const logPace = new BackgroundPace(callersWait, Number.POSITIVE_INFINITY);
  const jobs: readonly Job[] = [
    {
      name: 'settle-deadlines',
      everyMs: 1_000,
      leaseMs: 30_000,
      isNeeded: () => sweepDeadlines.isNeeded(),
      run: () => sweepDeadlines.execute(),
    },
    {
      // What the call, or a crash, left of a revocation.
      name: 'detach-revoked-peers',
      everyMs: 5_000,
      leaseMs: 60_000,
      isNeeded: () => detachRevoked.isNeeded(),
      run: (stopping) => detachRevoked.execute(stopping),
    },
    {
      // What somebody who wrote the database took out of the lanes to peers.
      name: 'rejoin-lanes',
      everyMs: 5_000,
      leaseMs: 60_000,
      isNeeded: () => rejoinLanes.isNeeded(),
      run: () => rejoinLanes.execute(),
    },
    {
      name: 'finish-evaluations',
      everyMs: 5_000,
      leaseMs: 30_000,
      isNeeded: () => finishEvaluations.isNeeded(),
      run: () => finishEvaluations.execute(),
    },
    {
      name: 'checkpoint-round',
      everyMs: 10_000,
      leaseMs: 300_000,
      isNeeded: () => round.isDue(roundEvery),
      run: async (stopping) => {
        const result = await round.run(stopping, null, roundPace.begin());
        for (const { chainKey, finding } of result?.uncovered ?? [])
          log.error({ chainKey, finding }, 'a chain cannot be checkpointed');
      },
    },
    sweepAnchors(container),
    {
      name: 'org-reads-checkpoints',
      everyMs: 10_000,
      leaseMs: 300_000,
      isNeeded: () => orgReadsRound.isDue(orgReadsEvery),
      run: async (stopping) => {
        const { broken } = await orgReadsRound.run({ afterMs: orgReadsEvery, stopping });
        for (const fault of broken)
          log.error(fault, 'a log of reads is not the one that was signed');
        for (const cut of await checkReadsLogs.execute()) {
          faults.note('row_tampered');
          log.error({ ...cut }, CUT_READS_LOG);
        }
      },
    },
    {
      name: 'integrate-entries',
      everyMs: INTEGRATE_EVERY_MS,
      leaseMs: 60_000,
      isNeeded: () => integrate.isNeeded(),
      run: async (stopping) => {
        const ends = AbortSignal.any([stopping, AbortSignal.timeout(INTEGRATE_AT_MOST_MS)]);
        await integrate.run(ends, logPace.begin());
      },
    },
    {
      name: 'stamp-rounds',
      everyMs: 5_000,
      leaseMs: 120_000,
      isNeeded: () => stamps.isNeeded(),
      run: (stopping) => stamps.run(stopping),
    },
    {
      name: SCAN_JOB,
      everyMs: 1_000,
      leaseMs: SCAN_LEASE_MS,
      isNeeded: () => scan.isNeeded(),
      run: (stopping) => scan.run(stopping),
    },
    {
      name: EXPORTS_JOB,
      everyMs: 1_000,
      leaseMs: EXPORTS_LEASE_MS,
      isNeeded: () => exports.isNeeded(),
      run: (stopping) => exports.run(stopping),
    },
    {
      name: 'move-row-keys',
      everyMs: 30_000,
      leaseMs: 60_000,
      isNeeded: () =>
        Promise.resolve(!areAllMoved && container.get(TOKENS.secrets).secretsKey.length > 1),
      run: async () => {
        const secrets = (await moveSecrets.run()) + (await container.get(MoveHubKeys).run());
        areAllMoved = (await sql.moveRowsToNewestKey()) + secrets === 0;
        if (areAllMoved)
          log.info(
            {},
            'all rows are under the newest SECRETS_KEY: the older ones may go in 24 hours, when the answers stored for repetitions under them have expired',
          );
      },
    },
    {
      name: 'forget-spent-tokens',
      everyMs: 60_000,
      leaseMs: 60_000,
      isNeeded: () => sql.housekeeping.hasSpentTokens(),
      run: (stopping) => sql.housekeeping.deleteSpentTokens({ stopping }),
    },
    {
      name: 'greet-peers',
      everyMs: 2_000,
      leaseMs: 120_000,
      isNeeded: () => greetPeers.isNeeded(),
      run: (stopping) => greetPeers.greetDue(stopping),
    },
    {
      name: 'forget-peer-nonces',
      everyMs: 60_000,
      leaseMs: 60_000,
      isNeeded: () => sql.housekeeping.hasSpentNonces(),
      run: (stopping) => sql.housekeeping.deleteSpentNonces({ stopping }),
    },
    {
      name: 'tell-sums',
      everyMs: 1_000,
      leaseMs: 30_000,
      isNeeded: () => sql.housekeeping.hasSums(),
      run: () => container.get(TellSums).run(),
    },
    {
      name: 'forget-events',
      everyMs: 600_000,
      leaseMs: 60_000,
      isNeeded: () => sql.forgetEvents.isNeeded(),
      run: (stopping) => sql.forgetEvents.run({ stopping }),
    },
    {
      name: 'forget-deliveries',
      everyMs: 60_000,
      leaseMs: 60_000,
      isNeeded: () => sql.housekeeping.hasOldDeliveries(),
      run: (stopping) => sql.housekeeping.deleteOldDeliveries({ stopping }),
    },
    {
      name: 'forget-push-configurations',
      everyMs: 3_600_000,
      leaseMs: 300_000,
      isNeeded: () => Promise.resolve(true),
      run: async (stopping) => void (await forgetPush.run(stopping)),
    },
    {
      name: 'forget-kept-answers',
      everyMs: 60_000,
      leaseMs: 60_000,
      isNeeded: () => sql.housekeeping.hasExpiredAnswers(),
      run: (stopping) => sql.housekeeping.deleteExpiredAnswers({ stopping }),
    },
  ];
  const dispatchers = [container.get(Dispatcher), container.get(DeliverLanes)];
  for (const dispatcher of dispatchers) dispatcher.start();
  return [...jobs.map((job) => repeat(job, sql.jobLeases, beats, log)), ...dispatchers];
};

/** Says every few seconds which jobs this process looks after, so that all know where nobody does. */
export const tellBeats = (container: Container, log: Log): RunningJob =>
  repeatEverywhere({ name: 'job-beats', everyMs: BEAT_MS, run: () => beat(container) }, log);

/** Before anybody asks. Where it fails the next one follows. */
export const firstBeat = (container: Container, log: Log): Promise<void> =>
  beat(container).catch((error: unknown) =>
    log.warn({ err: error }, 'it could not be written that this worker is there'),
  );

const beat = (container: Container): Promise<void> =>
  container.get(TOKENS.jobLeases).seen(container.get(JobBeats).alive());
