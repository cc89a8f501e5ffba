import { ContainerModule } from 'inversify';
import { SealEvents } from '../../application/sealing/seal-events.ts';
import { Vault } from '../../application/vault/vault.ts';
import { provide } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** The only writer of chain entries and events. */
export const sealingModule = new ContainerModule((options) => {
  provide(options, SealEvents, [Vault, t.clock, t.ids]);
});
