import { ContainerModule } from 'inversify';
import { ChangeNotices } from '../../adapters/cache/change-notices.ts';
import { AllowedRanges } from '../../adapters/egress/allowed-ranges.ts';
import { HttpsEgressClient } from '../../adapters/egress/https-egress-client.ts';
import { HttpsPost } from '../../adapters/egress/https-post.ts';
import { deriveKey } from '../../adapters/keys/derive-key.ts';
import { HmacCursorMac } from '../../adapters/keys/hmac-cursor-mac.ts';
import { HmacApiKeyHasher } from '../../adapters/keys/hmac-api-key-hasher.ts';
import { SharedLimiter, type LimitStore } from '../../adapters/limits/shared-limiter.ts';
import { SlidingWindowLimiter } from '../../adapters/limits/sliding-window.ts';
import { RehearsedClock, RehearsedIds } from '../../adapters/signer/outside/rehearsed-sources.ts';
import { Rehearsals } from '../../adapters/signer/outside/rehearsals.ts';
import { SystemClock } from '../../adapters/system/system-clock.ts';
import { Uuidv7Ids } from '../../adapters/system/uuidv7-ids.ts';
import { isAway } from '../signer-choice.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Time, ids, secrets, rate limits and egress, which every feature uses. */
export const systemModule = new ContainerModule((options) => {
  provideBy(
    options,
    t.clock,
    (settings, rehearsals) =>
      isAway(settings) ? new RehearsedClock(new SystemClock(), rehearsals) : new SystemClock(),
    [t.settings, Rehearsals],
  );
  provideBy(
    options,
    t.ids,
    (settings, rehearsals) =>
      isAway(settings) ? new RehearsedIds(new Uuidv7Ids(), rehearsals) : new Uuidv7Ids(),
    [t.settings, Rehearsals],
  );
  provide(options, ChangeNotices, []);
  options.bind(t.changeNotice).toService(ChangeNotices);
  provideBy(options, t.apiKeyHasher, (secrets) => new HmacApiKeyHasher(secrets.pepper), [
    t.secrets,
  ]);
  provideBy(
    options,
    t.cursorMacs,
    ({ secretsKey }) => secretsKey.map((secret) => new HmacCursorMac(secret)),
    [t.secrets],
  );
  provideBy(
    options,
    t.sharedLimits,
    ({ RATE_LIMIT_STORE, REDIS_URL, ROLE }, { secretsKey: [newest] }, log) => {
      // A worker answers probes alone, which are limited nowhere.
      if (RATE_LIMIT_STORE !== 'redis' || ROLE === 'worker') return null;
      const secret = deriveKey(newest as Uint8Array, 'service.limits.v1');
      const connect = async (): Promise<LimitStore> => {
        const { RedisStore } = await import('../../adapters/limits/redis-store.ts');
        return new RedisStore(REDIS_URL, secret);
      };
      return new SharedLimiter(new SlidingWindowLimiter(), connect, log);
    },
    [t.settings, t.secrets, t.log],
  );
  provideBy(options, t.rateLimiter, (shared) => shared ?? new SlidingWindowLimiter(), [
    t.sharedLimits,
  ]);
  provideBy(
    options,
    t.egressClient,
    (settings) =>
      new HttpsEgressClient({
        allowed: {
          JWKS: settings.EGRESS_ALLOW_CIDRS_JWKS,
          PEER: settings.EGRESS_ALLOW_CIDRS_PEER,
        },
        ca: settings.EGRESS_CA || null,
      }),
    [t.settings],
  );
  provideBy(
    options,
    t.egressPost,
    (settings) =>
      new HttpsPost({
        allowed: {
          WEBHOOK: settings.EGRESS_ALLOW_CIDRS_WEBHOOK,
          SINK: settings.EGRESS_ALLOW_CIDRS_SINK,
          PEER: settings.EGRESS_ALLOW_CIDRS_PEER,
        },
        ca: settings.EGRESS_CA || null,
      }),
    [t.settings],
  );
  provideBy(
    options,
    t.webhookAddresses,
    (settings) => new AllowedRanges(settings.EGRESS_ALLOW_CIDRS_WEBHOOK),
    [t.settings],
  );
  provideBy(
    options,
    t.peerAddresses,
    (settings) => new AllowedRanges(settings.EGRESS_ALLOW_CIDRS_PEER),
    [t.settings],
  );
  provideBy(
    options,
    t.providerAddresses,
    (settings) => new AllowedRanges(settings.EGRESS_ALLOW_CIDRS_JWKS),
    [t.settings],
  );
  provideBy(options, t.publicUrl, (settings) => settings.PUBLIC_URL, [t.settings]);
});
