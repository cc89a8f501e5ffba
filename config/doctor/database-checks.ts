import { inspectDatabase } from '../../adapters/sql/upkeep/inspect-database.ts';
import { isOnVolumeOf } from '../../adapters/anchor/filesystem/volume.ts';
import type { SqlAdapter } from '../../adapters/sql/sql-adapter.ts';
import type { Settings } from '../settings-table.ts';
import { finding, type Check, type Finding } from './finding.ts';

/** Clocks that differ by more make the order of what several nodes seal doubtful, ms. */
const SKEW_MS = 2_000;

/** What is asked of the database once it answers, without a secret. */
export const databaseChecks = (
  settings: Settings,
  sql: SqlAdapter,
  now: Date,
): readonly Check[] => [
  { name: 'schema', look: () => schema(sql) },
  { name: 'clock and server', look: () => server(settings, now) },
];

const schema = async (sql: SqlAdapter): Promise<readonly Finding[]> => {
  const { pending, refusal } = await sql.migrationState();
  if (refusal !== null)
    return [
      finding(
        refusal.kind === 'newer' ? 'database-newer' : 'database-unusable',
        'DATABASE_URL',
        refusal.sentence,
      ),
    ];
  if (pending.length === 0) return [];
  return [
    finding(
      'database-older',
      'DATABASE_URL',
      `${pending.length} migrations are still to be run, from ${pending[0]} on. Take a backup, then run: notary migrate`,
    ),
  ];
};

const server = async (settings: Settings, now: Date): Promise<readonly Finding[]> => {
  const report = await inspectDatabase(settings.DATABASE_URL);
  const found: Finding[] = [];
  const { newestEntryAt } = report;
  if (newestEntryAt !== null && newestEntryAt > now.getTime() + SKEW_MS)
    found.push(
      finding(
        'clock-behind',
        'clock',
        `The newest entry was sealed at ${new Date(newestEntryAt).toISOString()}, and the clock of this machine says ${now.toISOString()}. Set the clock by NTP; where it was ahead when the entry was sealed, wait until it is past that time.`,
      ),
    );
  if (report.server === null) return found;
  const { aheadMs, excessRights, flushAtCommit } = report.server;
  if (Math.abs(aheadMs) > SKEW_MS)
    found.push(
      finding(
        'clock-skew',
        'clock',
        `The clock of MySQL is ${Math.abs(aheadMs) / 1000} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of this machine, and leases and times are compared across both. Set both by NTP.`,
      ),
    );
  if (excessRights.length > 0)
    found.push(
      finding(
        'database-user-too-strong',
        'DATABASE_URL',
        `The user of the service has ${excessRights.join(', ')}, so whoever steals its password can take away the triggers that keep sealed rows. Serve as a user with SELECT, INSERT, UPDATE and DELETE, and run notary migrate as another one.`,
      ),
    );
  if (flushAtCommit !== 1)
    found.push(
      finding(
        'database-not-durable',
        'DATABASE_URL',
        `innodb_flush_log_at_trx_commit is ${flushAtCommit}: what callers were told is stored is lost in a power cut. Set it to 1.`,
      ),
    );
  return found;
};

/** Whether copies of checkpoints would survive the database. */
export const anchorPlace = async (settings: Settings): Promise<readonly Finding[]> => {
  const { ANCHOR, ANCHOR_PATH, DATABASE_URL } = settings;
  if (ANCHOR === 'none')
    return [
      finding(
        'anchors-none',
        'ANCHOR',
        'No copy of a checkpoint leaves the database, so an older copy of it that is put back is not noticed. Set ANCHOR to s3, or to filesystem with ANCHOR_PATH on another machine.',
      ),
    ];
  if (ANCHOR !== 'filesystem' || !(await isOnVolumeOf(ANCHOR_PATH, DATABASE_URL))) return [];
  return [
    finding(
      'anchors-beside-database',
      'ANCHOR_PATH',
      `The anchors at ${ANCHOR_PATH} are on the volume of the database: who puts an older copy of it back can put the older anchors back with it. Set ANCHOR_PATH to another volume, best of another machine, or ANCHOR to s3.`,
    ),
  ];
};
