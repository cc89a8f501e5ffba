import { ContainerModule } from 'inversify';
import { JoseTokenSignatures } from '../../adapters/jose/jose-token-signatures.ts';
import { JwksCache } from '../../adapters/oidc/jwks-cache.ts';
import { AttestCall } from '../../application/identity/attest-call.ts';
import { AuthenticateBearer } from '../../application/identity/authenticate-bearer.ts';
import { AuthenticateCert } from '../../application/identity/authenticate-cert.ts';
import { AuthenticateOidc } from '../../application/identity/authenticate-oidc.ts';
import { Authenticate } from '../../application/identity/authenticate.ts';
import { CoSignatureDemands } from '../../application/identity/co-signature-demands.ts';
import { GetWhoami } from '../../application/identity/get-whoami.ts';
import { VerifyToken } from '../../application/identity/verify-token.ts';
import { MoveToNewestPepper } from '../../application/identity/move-to-newest-pepper.ts';
import { VerifyCoSignature } from '../../application/identity/verify-co-signature.ts';
import { VerifySubjectToken } from '../../application/identity/verify-subject-token.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Authenticates the caller by any kind of credential, and checks what else a call proves. */
export const authenticationModule = new ContainerModule((options) => {
  provideBy(options, t.tokenSignatures, () => new JoseTokenSignatures(), []);
  provideBy(options, t.jwksSource, (egress, clock) => new JwksCache(egress, clock), [
    t.egressClient,
    t.clock,
  ]);
  provide(options, VerifyToken, [t.trustedIssuerReads, t.jwksSource, t.tokenSignatures, t.clock]);
  provide(options, MoveToNewestPepper, [t.unitOfWork, t.apiKeyHasher, t.log]);
  provide(options, Authenticate, [
    t.apiKeyReads,
    t.apiKeyHasher,
    t.keyUseLog,
    MoveToNewestPepper,
    t.keyUses,
    t.clock,
  ]);
  provide(options, AuthenticateCert, [t.certReads, t.agentReads, Vault, t.clock, t.publicUrl]);
  provide(options, AuthenticateOidc, [VerifyToken]);
  provide(options, AuthenticateBearer, [Authenticate, AuthenticateCert, AuthenticateOidc]);
  provide(options, VerifyCoSignature, [t.unitOfWork, t.clock]);
  provide(options, VerifySubjectToken, [VerifyToken]);
  provide(options, AttestCall, [VerifyCoSignature, VerifySubjectToken, CoSignatureDemands, t.ids]);
  provide(options, CoSignatureDemands, [t.orgReads, t.certReads, t.trustedIssuerReads]);
  provide(options, GetWhoami, []);
});
