/** What the shell client takes of the environment; `config` reads it. */
export interface ShellEnvironment {
  /** Of the service, for whoever brings no profile (`NOTARY_URL`); null where it is not set. */
  readonly url: string | null;
  /** `NOTARY_API_KEY`. */
  readonly apiKey: string | null;
  /** Which context of the profile is meant (`NOTARY_CONTEXT`). */
  readonly context: string | null;
  /** A token of an identity provider (`NOTARY_OIDC_TOKEN`). */
  readonly oidcToken: string | null;
  /** Where the profile is, an absolute path. */
  readonly configDirectory: string;
  /** Where a service that `notary init` starts keeps its data, an absolute path. */
  readonly dataDirectory: string;
  /** What the agent of this person is called where nobody says. */
  readonly userName: string;
}
