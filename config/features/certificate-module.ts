import { ContainerModule } from 'inversify';
import { IdempotentTransaction } from '../../application/call/idempotent-transaction.ts';
import { CreateIssuer } from '../../application/identity/create-issuer.ts';
import { DeleteIssuer } from '../../application/identity/delete-issuer.ts';
import { ExchangeToken } from '../../application/identity/exchange-token.ts';
import { VerifyToken } from '../../application/identity/verify-token.ts';
import { GetIssuer, ListIssuers } from '../../application/identity/read-issuers.ts';
import { RevokeCert, RevokeIssuerCerts } from '../../application/identity/revoke-certs.ts';
import { UpdateIssuer } from '../../application/identity/update-issuer.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { provide } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Identity providers, and the certificates that are issued for their tokens. */
export const certificateModule = new ContainerModule((options) => {
  provide(options, CreateIssuer, [
    IdempotentTransaction,
    SealPlatform,
    t.changeNotice,
    t.clock,
    t.ids,
    t.providerAddresses,
  ]);
  provide(options, GetIssuer, [t.trustedIssuerReads]);
  provide(options, ListIssuers, [t.trustedIssuerReads]);
  provide(options, UpdateIssuer, [
    IdempotentTransaction,
    SealPlatform,
    t.changeNotice,
    t.clock,
    t.providerAddresses,
  ]);
  provide(options, DeleteIssuer, [IdempotentTransaction, SealPlatform, t.changeNotice]);
  provide(options, ExchangeToken, [
    t.unitOfWork,
    SealPlatform,
    VerifyToken,
    t.tokenSignatures,
    t.agentReads,
    Vault,
    t.cryptoCapabilities,
    t.clock,
    t.ids,
    t.publicUrl,
  ]);
  provide(options, RevokeCert, [IdempotentTransaction, SealPlatform, t.changeNotice, t.clock]);
  provide(options, RevokeIssuerCerts, [
    IdempotentTransaction,
    SealPlatform,
    t.changeNotice,
    t.clock,
  ]);
});
