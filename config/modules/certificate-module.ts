import { ContainerModule } from 'inversify';
import { HttpsEgressClient } from '../../adapters/egress/https-egress-client.ts';
import { JoseTokenSignatures } from '../../adapters/jose/jose-token-signatures.ts';
import { AttestCall } from '../../application/identity/attest-call.ts';
import { AuthenticateBearer } from '../../application/identity/authenticate-bearer.ts';
import { AuthenticateCert } from '../../application/identity/authenticate-cert.ts';
import { AuthenticateOidc } from '../../application/identity/authenticate-oidc.ts';
import { CreateIssuer } from '../../application/identity/create-issuer.ts';
import { DeleteIssuer } from '../../application/identity/delete-issuer.ts';
import { ExchangeToken } from '../../application/identity/exchange-token.ts';
import { JudgeToken } from '../../application/identity/judge-token.ts';
import { KeySets } from '../../application/identity/key-sets.ts';
import { GetIssuer, ListIssuers } from '../../application/identity/read-issuers.ts';
import { RevokeCert, RevokeIssuerCerts } from '../../application/identity/revoke-certs.ts';
import { VerifyCoSignature } from '../../application/identity/verify-co-signature.ts';
import { VerifySubjectToken } from '../../application/identity/verify-subject-token.ts';
import { UpdateIssuer } from '../../application/identity/update-issuer.ts';
import { provide, provideBy } from '../provide.ts';
import type { Settings } from '../settings-table.ts';
import { TOKENS } from '../tokens.ts';

/** Identity providers, the certificates given for their tokens, and whoever comes with either. */
export const certificateModule = new ContainerModule((options) => {
  const t = TOKENS;
  provideBy(
    options,
    t.egressClient,
    (settings) =>
      new HttpsEgressClient({
        allowed: { JWKS: settings.EGRESS_ALLOW_CIDRS_JWKS },
        ca: settings.EGRESS_CA || null,
      }),
    [t.settings],
  );
  provide(options, t.tokenSignatures, JoseTokenSignatures, []);
  provide(options, t.keySets, KeySets, [t.egressClient, t.clock]);
  provide(options, t.judgeToken, JudgeToken, [
    t.trustedIssuerReads,
    t.keySets,
    t.tokenSignatures,
    t.keyVault,
    t.clock,
    t.log,
  ]);
  provideBy(
    options,
    t.authenticateCert,
    (certs, agents, vault, clock, settings) =>
      new AuthenticateCert(certs, agents, vault, clock, baseUrlOf(settings)),
    [t.certReads, t.agentReads, t.vault, t.clock, t.settings],
  );
  provide(options, t.verifyCoSignature, VerifyCoSignature, [t.unitOfWork, t.clock]);
  provide(options, t.verifySubjectToken, VerifySubjectToken, [t.judgeToken]);
  provide(options, t.attestCall, AttestCall, [
    t.verifyCoSignature,
    t.verifySubjectToken,
    t.certReads,
    t.trustedIssuerReads,
    t.keyVault,
  ]);
  provide(options, t.authenticateOidc, AuthenticateOidc, [t.judgeToken]);
  provide(options, t.authenticateBearer, AuthenticateBearer, [
    t.authenticate,
    t.authenticateCert,
    t.authenticateOidc,
  ]);
  provide(options, t.createIssuer, CreateIssuer, [
    t.runOnce,
    t.sealEvents,
    t.keyVault,
    t.changeNotice,
    t.clock,
    t.ids,
  ]);
  provide(options, t.getIssuer, GetIssuer, [t.trustedIssuerReads]);
  provide(options, t.listIssuers, ListIssuers, [t.trustedIssuerReads]);
  provide(options, t.updateIssuer, UpdateIssuer, [
    t.runOnce,
    t.sealEvents,
    t.keyVault,
    t.changeNotice,
    t.clock,
  ]);
  provide(options, t.deleteIssuer, DeleteIssuer, [t.runOnce, t.sealEvents, t.changeNotice]);
  provide(options, t.revokeCert, RevokeCert, [t.runOnce, t.sealEvents, t.changeNotice, t.clock]);
  provide(options, t.revokeIssuerCerts, RevokeIssuerCerts, [
    t.runOnce,
    t.sealEvents,
    t.changeNotice,
    t.clock,
  ]);
  provideBy(
    options,
    t.exchangeToken,
    (unitOfWork, sealing, judge, signatures, agents, vault, capabilities, clock, ids, settings) =>
      new ExchangeToken(
        unitOfWork,
        sealing,
        judge,
        signatures,
        agents,
        vault,
        capabilities,
        clock,
        ids,
        { baseUrl: baseUrlOf(settings), exchangeUrl: `${baseUrlOf(settings)}/v1/auth/oidc/cert` },
      ),
    [
      t.unitOfWork,
      t.sealEvents,
      t.judgeToken,
      t.tokenSignatures,
      t.agentReads,
      t.vault,
      t.cryptoCapabilities,
      t.clock,
      t.ids,
      t.settings,
    ],
  );
});

const baseUrlOf = (settings: Settings): string => settings.PUBLIC_URL.replace(/\/+$/, '');
