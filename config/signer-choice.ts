import type { Settings } from './settings-table.ts';
import type { SignerName } from './signer-settings.ts';

export interface NamedSigner {
  readonly signer: SignerName;
  /** Null: the one that the settings of the signer name. */
  readonly key: string | null;
}

/** What SIGNER and SIGNER_PREVIOUS name. */
export const signerChoice = ({
  SIGNER,
  SIGNER_PREVIOUS,
}: Pick<Settings, 'SIGNER' | 'SIGNER_PREVIOUS'>): {
  readonly current: NamedSigner;
  readonly previous: NamedSigner | null;
} => {
  const [signer, ...key] = SIGNER_PREVIOUS.split(':');
  return {
    current: { signer: SIGNER, key: null },
    previous:
      SIGNER_PREVIOUS === ''
        ? null
        : { signer: signer as SignerName, key: key.length > 0 ? key.join(':') : null },
  };
};

/** Whether a key of these settings is away from the process, so that a signature takes time. */
export const isAway = (settings: Pick<Settings, 'SIGNER' | 'SIGNER_PREVIOUS'>): boolean => {
  const { current, previous } = signerChoice(settings);
  return [current, previous].some((named) => named !== null && named.signer !== 'software');
};
