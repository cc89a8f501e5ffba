import { CRYPTO_PROVIDERS, type CryptoProviderName } from '../adapters/signer/crypto-providers.ts';
import { choice, path, secretText, text, url } from './setting-types.ts';

/** Where a private key may live. */
export const SIGNERS = ['software', 'pkcs11', 'aws-kms', 'vault-transit'] as const;

export type SignerName = (typeof SIGNERS)[number];

const named = (defaultText: string, description: string) =>
  text({
    default: '',
    defaultText,
    pattern: /^[^\s\0](?:[^\r\n\0]{0,510}[^\s\0])?$/,
    allowed: 'a name of at most 512 characters',
    description,
  });

/** The settings of the signing key. */
export const SIGNER_SETTINGS = {
  SIGNER: choice<SignerName>({
    default: 'software',
    values: SIGNERS,
    description:
      'Where the private signing key lives; software: in the database, encrypted under SIGNER_KEK; pkcs11: in an HSM; aws-kms and vault-transit: in a key service',
  }),
  SIGNER_PREVIOUS: text({
    default: '',
    defaultText: 'unset',
    pattern: /^(?:software|(?:pkcs11|aws-kms|vault-transit)(?::[^\r\n\0]{1,512})?)$/,
    allowed:
      'software, pkcs11, aws-kms or vault-transit, the last three with the name of the old key after a colon where it is not that of the settings',
    description:
      'The signer that holds the active key, until the start that rotates from it to SIGNER',
  }),
  SIGNER_CRYPTO: choice<CryptoProviderName>({
    default: 'runtime',
    values: Object.keys(CRYPTO_PROVIDERS) as CryptoProviderName[],
    description:
      'What the software signer signs with: the WebCrypto of the runtime (off the main thread), @peculiar/webcrypto, or node:crypto on the main thread',
  }),
  PKCS11_MODULE: path({
    default: '',
    defaultText: 'unset',
    description: 'The PKCS#11 library of the HSM, a shared object',
  }),
  PKCS11_TOKEN: named('unset', 'Label of the token that holds the key'),
  PKCS11_PIN: secretText({ description: 'PIN of the user of the token' }),
  PKCS11_KEY: named(
    'unset',
    'Label of the key pair in the token: P-256, or Ed25519 where the token has it',
  ),
  AWS_KMS_KEY_ID: named(
    'unset',
    'Key in AWS KMS, by its id, ARN or alias: ECC_NIST_P256 for SIGN_VERIFY. Credentials are found as the AWS client finds them',
  ),
  AWS_REGION: text({
    default: '',
    defaultText: 'unset',
    pattern: /^[a-z0-9-]{1,64}$/,
    allowed: 'the name of a region such as eu-central-1',
    description: 'Region of the key in AWS KMS',
  }),
  AWS_KMS_ENDPOINT: url({
    default: '',
    defaultText: 'that of the region',
    protocols: ['https:', 'http:'],
    description: 'Another address of AWS KMS; http for loopback alone',
  }),
  VAULT_ADDR: url({
    default: '',
    defaultText: 'unset',
    protocols: ['https:', 'http:'],
    description: 'Address of HashiCorp Vault or OpenBao; http for loopback alone, such as an agent',
  }),
  VAULT_TOKEN: secretText({
    description: 'Token for Vault; unset where an agent on loopback adds its own',
  }),
  VAULT_NAMESPACE: named('unset', 'Namespace in Vault'),
  TRANSIT_MOUNT: text({
    default: 'transit',
    pattern: /^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*$/,
    allowed: 'a path of letters, digits, _, - and /',
    description: 'Where the transit secrets engine is mounted',
  }),
  TRANSIT_KEY: text({
    default: '',
    defaultText: 'unset',
    pattern: /^[A-Za-z0-9_.-]+(?:\/[1-9][0-9]{0,8})?$/,
    allowed: 'the name of a key, with /VERSION where it is not the newest one',
    description:
      'Key of the transit secrets engine, of type ed25519 or ecdsa-p256; NAME/VERSION where it is not the newest version',
  }),
};
