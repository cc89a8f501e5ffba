import { Type } from 'typebox';
import type { Guide } from '../call/guide.ts';
import { GUIDANCE, nullable, Timestamp, Uuid } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import type { ProvisioningStatus } from './get-provisioning-status.ts';
import type { Kind } from '../ports/kinds.ts';
import type { ReloadReport } from './reload-report.ts';

const Count = Type.Integer({ minimum: 0 });
const COUNTS = { created: Count, updated: Count, pruned: Count };
const Counts = Type.Object(COUNTS);
const FileError = Type.Object({
  file: Type.String({ description: 'Below the folder of the files' }),
  pointer: Type.String({ description: 'JSON Pointer into the document; empty: the whole of it' }),
  message: Type.String(),
});

export const ReloadSchema = Type.Object({
  dryRun: Type.Boolean({ description: 'true: nothing was written; it is what would be done' }),
  orgs: Counts,
  agents: Counts,
  schemas: Counts,
  trustedIssuers: Counts,
  webhooks: Type.Object({
    ...COUNTS,
    generated: Type.Array(Type.Object({ webhookId: Uuid, file: Type.String() }), {
      description: 'Secrets that were made, and the files that each was written to, once',
    }),
  }),
  apiKeys: Type.Object({
    created: Count,
    skipped: { ...Count, description: 'Minted before' },
    pruned: Count,
    generated: Type.Array(
      Type.Object({ keyId: Uuid, label: nullable(Type.String()), file: Type.String() }),
      { description: 'Keys that were made, and the files that each was written to, once' },
    ),
  }),
  errors: Type.Array(FileError, { description: 'At most 1,000' }),
  ...GUIDANCE,
});

export const StatusSchema = Type.Object({
  configured: Type.Boolean(),
  configPath: nullable(Type.String()),
  dryRun: Type.Boolean(),
  prune: Type.Boolean(),
  lastReloadAt: {
    ...nullable(Timestamp),
    description: 'Of the process that answers, as loadErrors',
  },
  managed: Type.Object({
    orgs: Count,
    agents: Count,
    apiKeys: Count,
    schemas: Count,
    webhooks: Count,
    trustedIssuers: Count,
  }),
  loadErrors: Type.Array(FileError),
  ...GUIDANCE,
});

export const READ_STATUS = {
  action: 'read',
  operation: 'getProvisioningStatus',
  input: {},
  description: 'Read what files manage, and what is wrong with them',
};
export const RELOAD = {
  action: 'reload',
  operation: 'reloadProvisioning',
  input: {},
  description: 'Read the files again and apply them',
};
export const COLLECT = 'Collect the files that generated names, and remove them from the folder.';
export const CORRECT = 'Correct the files that errors names, and reload. All others are applied.';
export const IN_LINE = 'What there is agrees with the files.';
export const WOULD = 'Nothing was written. Start without PROVISIONING_DRY_RUN to apply the files.';
export const UNCONFIGURED = 'Set PROVISIONING_PATH to a folder of files to manage things as code.';

export const reloadView = (
  { dryRun, counts, skippedKeys, generated, errors }: ReloadReport,
  guide: Guide,
): ViewOf<typeof ReloadSchema> => {
  const { created, pruned } = counts['api-keys'];
  const made = (kind: Kind) => generated.filter((one) => one.kind === kind);
  return {
    dryRun,
    orgs: counts.orgs,
    agents: counts.agents,
    schemas: counts.schemas,
    trustedIssuers: counts['trusted-issuers'],
    webhooks: {
      ...counts.webhooks,
      generated: made('webhooks').map(({ id, file }) => ({ webhookId: id, file })),
    },
    apiKeys: {
      created,
      skipped: skippedKeys,
      pruned,
      generated: made('api-keys').map(({ id, label, file }) => ({ keyId: id, label, file })),
    },
    errors: [...errors],
    suggestion: suggestionOf(errors.length, dryRun, generated.length),
    nextSteps: guide.steps(errors.length > 0 ? RELOAD : READ_STATUS),
  };
};

const suggestionOf = (errors: number, dryRun: boolean, generated: number): string => {
  if (errors > 0) return CORRECT;
  if (dryRun) return WOULD;
  return generated > 0 ? COLLECT : IN_LINE;
};

export const statusView = (
  { configPath, dryRun, prune, lastReloadAt, managed, loadErrors }: ProvisioningStatus,
  guide: Guide,
): ViewOf<typeof StatusSchema> => {
  const of = (kind: Kind): number => managed.get(kind) ?? 0;
  const isConfigured = configPath !== null;
  return {
    configured: isConfigured,
    configPath,
    dryRun,
    prune,
    lastReloadAt,
    managed: {
      orgs: of('orgs'),
      agents: of('agents'),
      apiKeys: of('api-keys'),
      schemas: of('schemas'),
      webhooks: of('webhooks'),
      trustedIssuers: of('trusted-issuers'),
    },
    loadErrors: [...loadErrors],
    suggestion: isConfigured ? (loadErrors.length > 0 ? CORRECT : IN_LINE) : UNCONFIGURED,
    nextSteps: isConfigured ? guide.steps(RELOAD) : [],
  };
};
