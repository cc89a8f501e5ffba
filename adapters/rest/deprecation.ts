/** When a path stopped being recommended, and from when on it may be gone. ISO 8601. */
export interface Deprecated {
  readonly since: string;
  readonly sunset: string;
}

/** Where the policy stands: docs/guides/versions.md. */
const POLICY = '/docs/guides/versions';

/** What every answer of such a path carries, refusals included: RFC 9745 and RFC 8594. */
export const deprecationHeaders = ({
  since,
  sunset,
}: Deprecated): readonly (readonly [string, string])[] => [
  ['deprecation', `@${Math.floor(Date.parse(since) / 1000)}`],
  ['sunset', new Date(sunset).toUTCString()],
  ['link', `<${POLICY}>; rel="deprecation"; type="text/html"`],
];

/** What documents say of these headers. */
export const DEPRECATION_WORDS = {
  Deprecation: 'Since when this path is deprecated (RFC 9745)',
  Sunset: 'From when on it may be gone (RFC 8594)',
  Link: 'The policy, with rel="deprecation"',
};
