import { OutsideSigner } from '../adapters/signer/outside/outside-signer.ts';
import type { Rehearsals } from '../adapters/signer/outside/rehearsals.ts';
import type { SignerWatch } from '../application/operations/signer-watch.ts';
import type { KeyChoice } from '../application/sealing/signing-keys.ts';
import type { HeldKey } from '../domain/vault/held-key.port.ts';
import type { KeySource } from '../domain/vault/key-source.port.ts';
import type { Signer } from '../domain/vault/signer.port.ts';
import type { Settings } from './settings-table.ts';
import { signerChoice, type NamedSigner } from './signer-choice.ts';

/** The longest that a caller waits for a signature, with some time left to answer within 2 s. */
export const SIGNING_LIMIT_MS = 1_500;

/** A start may wait longer for a key that is looked up once. */
type Adapter = (settings: Settings, key: string | null) => Promise<HeldKey>;

/** Loaded only where the settings name them: each brings a library, and none is needed to start. */
const ADAPTERS = {
  pkcs11: async (settings, key) => {
    const { Pkcs11Key } = await import('../adapters/signer/pkcs11/pkcs11-key.ts');
    return new Pkcs11Key({
      module: settings.PKCS11_MODULE,
      token: settings.PKCS11_TOKEN,
      pin: settings.PKCS11_PIN,
      key: key ?? settings.PKCS11_KEY,
    });
  },
  'aws-kms': async (settings, key) => {
    const { KmsKey } = await import('../adapters/signer/kms-key.ts');
    return new KmsKey({
      region: settings.AWS_REGION,
      endpoint: settings.AWS_KMS_ENDPOINT || null,
      key: key ?? settings.AWS_KMS_KEY_ID,
      ca: settings.EGRESS_CA || null,
      timeoutMs: SIGNING_LIMIT_MS,
    });
  },
  'vault-transit': async (settings, key) => {
    const { TransitKey } = await import('../adapters/signer/transit-key.ts');
    return new TransitKey({
      address: settings.VAULT_ADDR,
      token: settings.VAULT_TOKEN,
      namespace: settings.VAULT_NAMESPACE,
      mount: settings.TRANSIT_MOUNT,
      key: key ?? settings.TRANSIT_KEY,
      ca: settings.EGRESS_CA || null,
      timeoutMs: SIGNING_LIMIT_MS,
    });
  },
} as const satisfies Record<Exclude<NamedSigner['signer'], 'software'>, Adapter>;

/** What SIGNER and SIGNER_PREVIOUS name, as keys that sign outside of transactions. */
export const keyChoice = (
  settings: Settings,
  rehearsals: Rehearsals,
  watch: SignerWatch,
): KeyChoice => {
  const { current, previous } = signerChoice(settings);
  const keyOf = ({ signer, key }: NamedSigner): HeldKey | 'software' =>
    signer === 'software'
      ? signer
      : new LazyKey(`${signer}${key === null ? '' : `:${key}`}`, async () => {
          const held = await ADAPTERS[signer](settings, key);
          const opened = await watch.opening(() => held.open());
          return new OutsideSigner(opened, rehearsals, SIGNING_LIMIT_MS);
        });
  return { current: keyOf(current), previous: previous && keyOf(previous) };
};

/** Looked up when it is first asked for, and again after a failure. */
class LazyKey implements HeldKey {
  private signer: Promise<Signer> | null = null;

  constructor(
    readonly name: string,
    private readonly load: () => Promise<Signer>,
  ) {}

  open(): Promise<Signer> {
    this.signer ??= this.load().catch((error: unknown) => {
      this.signer = null;
      throw error;
    });
    return this.signer;
  }
}

/** The keys of the service itself, watched like those that others hold. */
export const watchedKeys = (source: KeySource, watch: SignerWatch): KeySource => ({
  generate: async (algorithm) => {
    const made = await source.generate(algorithm);
    return { ...made, signer: watch.over(made.signer) };
  },
  open: async (sealed) => watch.over(await source.open(sealed)),
});
