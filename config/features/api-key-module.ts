import { ContainerModule } from 'inversify';
import { IdempotentTransaction } from '../../application/call/idempotent-transaction.ts';
import { BulkRevokeKeys } from '../../application/identity/bulk-revoke-keys.ts';
import { IssueKey } from '../../application/identity/issue-key.ts';
import { ListKeys } from '../../application/identity/list-keys.ts';
import { MintKey } from '../../application/identity/mint-key.ts';
import { RevokeKeys } from '../../application/identity/revoke-keys.ts';
import { RotateKey } from '../../application/identity/rotate-key.ts';
import { UpdateKey } from '../../application/identity/update-key.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** API keys: issued, listed, changed, revoked, rotated. */
export const apiKeyModule = new ContainerModule((options) => {
  provideBy(
    options,
    t.keyLifetimes,
    (settings) => ({
      defaultSeconds: settings.API_KEY_DEFAULT_LIFETIME_SECONDS,
      maxSeconds: settings.API_KEY_MAX_LIFETIME_SECONDS,
    }),
    [t.settings],
  );
  provideBy(
    options,
    IssueKey,
    (keyHasher, ids, settings) => new IssueKey(keyHasher, ids, settings.ENVIRONMENT),
    [t.apiKeyHasher, t.ids, t.settings],
  );
  provide(options, MintKey, [
    IdempotentTransaction,
    SealPlatform,
    IssueKey,
    t.clock,
    t.keyLifetimes,
  ]);
  provide(options, ListKeys, [t.apiKeyReads]);
  provide(options, UpdateKey, [IdempotentTransaction, SealPlatform, RevokeKeys, t.changeNotice]);
  provide(options, RevokeKeys, [t.unitOfWork, SealPlatform, t.clock]);
  provide(options, BulkRevokeKeys, [
    IdempotentTransaction,
    t.unitOfWork,
    t.apiKeyReads,
    RevokeKeys,
    t.changeNotice,
    t.clock,
  ]);
  provideBy(
    options,
    RotateKey,
    (idempotent, sealing, issueKey, notice, clock, lifetimes, settings) =>
      new RotateKey(
        idempotent,
        sealing,
        issueKey,
        notice,
        clock,
        lifetimes,
        settings.KEY_ROTATION_MAX_GRACE_SECONDS,
      ),
    [
      IdempotentTransaction,
      SealPlatform,
      IssueKey,
      t.changeNotice,
      t.clock,
      t.keyLifetimes,
      t.settings,
    ],
  );
});
