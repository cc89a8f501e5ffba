/**
 * Schemes with permanent status in the IANA registry of URI schemes (RFC 7595) that name something one may refer to.
 * Left out are those whose URIs are content or code themselves, or mean another thing on each machine (about, data,
 * file, javascript, view-source), and those of the registry that nobody refers to.
 */
export const URI_SCHEMES = [
  'https',
  'http',
  'urn',
  'acct',
  'cid',
  'coap',
  'coaps',
  'dav',
  'dns',
  'ftp',
  'geo',
  'imap',
  'info',
  'ldap',
  'mailto',
  'mid',
  'news',
  'ni',
  'nih',
  'nntp',
  'sip',
  'sips',
  'sms',
  'tag',
  'tel',
  'ws',
  'wss',
  'xmpp',
] as const;

const KNOWN: ReadonlySet<string> = new Set(URI_SCHEMES);

/** Schemes are compared without regard to case (RFC 3986 section 3.1). */
export const isKnownScheme = (uri: string): boolean =>
  KNOWN.has(uri.slice(0, Math.max(0, uri.indexOf(':'))).toLowerCase());
