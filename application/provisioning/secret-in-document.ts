import type { Kind } from '../ports/kinds.ts';

/** How secrets look, whatever member they stand in. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\bsvc_(?:agt|adm|plt)_[0-9A-Za-z]{20}/, 'an API key'],
  [/\bwhsec_[0-9A-Za-z+/=_-]{16}/, 'a webhook secret'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, 'a private key'],
  [/\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/, 'a token'],
  [/:\/\/[^\s/@:"']+:[^\s/@"']+@/, 'a URL with a password'],
];

const MEMBERS =
  /^(?:secret|client_?secret|api_?key|password|passphrase|private_?key|access_?token|token|pepper)$/i;

/** What secret a text holds; null where none is seen. The secret itself is not said. */
export const secretForm = (text: string): string | null =>
  FORMS.find(([form]) => form.test(text))?.[1] ?? null;

/** A member that is there to hold a secret, as a JSON Pointer. Manifests may describe such members. */
export const secretMember = (kind: Kind, value: unknown): string | null => {
  if (kind === 'schemas' || typeof value !== 'object' || value === null) return null;
  const name = Object.keys(value).find((member) => MEMBERS.test(member));
  return name === undefined ? null : `/${name}`;
};
