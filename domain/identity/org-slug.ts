import { sha256, toHex } from '../kernel/digest.ts';
import { RESERVED_SLUGS } from './org.ts';

const MAX_LENGTH = 64;

/**
 * A slug made of a name in any script: lowercase letters and digits, joined by hyphens, with a letter first. Every name
 * has one, and always the same.
 */
export const slugOf = async (name: string): Promise<string> => {
  const slug = slugged(isAscii(name) ? name : await inLatin(name));
  if (slug === '') return `org-${toHex(sha256(new TextEncoder().encode(name))).slice(0, 12)}`;
  if (/^[0-9]/.test(slug)) return cut(`org-${slug}`);
  return RESERVED_SLUGS.has(slug) ? `${slug}-org` : slug;
};

const isAscii = (name: string): boolean => /^[\u0020-\u007e]*$/.test(name);

/** The tables of the library are read when the first name needs them, which for most services is never. */
const inLatin = async (name: string): Promise<string> => {
  const { transliterate } = await import('transliteration');
  return transliterate(name);
};

const slugged = (text: string): string =>
  cut(
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036f'’]/g, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-/, ''),
  );

const cut = (slug: string): string => slug.slice(0, MAX_LENGTH).replace(/-$/, '');
