import { ContainerModule } from 'inversify';
import { ChangeNotices } from '../../adapters/cache/change-notices.ts';
import { HmacKeyVault } from '../../adapters/keys/hmac-key-vault.ts';
import { SlidingWindowLimiter } from '../../adapters/limits/sliding-window.ts';
import { SystemClock } from '../../adapters/system/system-clock.ts';
import { Uuidv7Ids } from '../../adapters/system/uuidv7-ids.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS } from '../tokens.ts';

/** Time, ids, secrets and counters: what every other module leans on. */
export const systemModule = new ContainerModule((options) => {
  provide(options, TOKENS.clock, SystemClock, []);
  provideBy(options, TOKENS.ids, () => new Uuidv7Ids(), []);
  provide(options, TOKENS.changeNotices, ChangeNotices, []);
  options.bind(TOKENS.changeNotice).toService(TOKENS.changeNotices);
  provideBy(options, TOKENS.keyVault, (secrets) => new HmacKeyVault(secrets.pepper), [
    TOKENS.secrets,
  ]);
  provideBy(options, TOKENS.rateLimiter, () => new SlidingWindowLimiter(), []);
});
