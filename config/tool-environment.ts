/** By which a client of the notary is known. */
export const CLIENT_SECRETS = ['NOTARY_API_KEY', 'NOTARY_OIDC_TOKEN'] as const;
/** Of a service on the same host: no tool server has a variable of its own under these names. */
const VAULT_SECRETS = ['API_KEY_PEPPER', 'SECRETS_KEY', 'SIGNER_KEK'] as const;

const WITHHELD: ReadonlySet<string> = new Set([...CLIENT_SECRETS, ...VAULT_SECRETS]);

/** What a tool server gets of the environment: whoever is watched does not get the secrets of the one who watches. */
export const toolEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !WITHHELD.has(name)));
