import { describe, expect, it } from 'vitest';
import { assertJsonMediaType, chooseMediaType } from '../../../adapters/http/media-type.ts';

describe('the media type of a body', () => {
  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/vnd.notary+json',
    'application/cloudevents+json; v=1',
  ])('takes %s', (type) => {
    expect(() => assertJsonMediaType(type)).not.toThrow();
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'application/jsonx',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/json, text/plain',
    '+json',
  ])('refuses %s', (type) => {
    expect(() => assertJsonMediaType(type)).toThrow(/application\/json/);
  });

  it('decides on a hostile header in linear time', () => {
    const began = performance.now();
    expect(() => assertJsonMediaType(`application/json${'; a=b'.repeat(3000)}"`)).toThrow();
    expect(() => assertJsonMediaType(`application/json;a=b${'\t'.repeat(15_000)}"`)).toThrow();
    expect(() => assertJsonMediaType(`application/${'a+json'.repeat(3000)}!`)).toThrow();
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

describe('Accept (RFC 9110 section 12.5.1)', () => {
  const both = ['application/json', 'text/html'];

  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['', 'application/json'],
    ['text/html', 'text/html'],
    ['text/*', 'text/html'],
    ['text/html;q=0.5, application/json;q=0.9', 'application/json'],
    ['application/json;q=0, */*', 'text/html'],
    ['application/json;profile="a;q=0"', 'application/json'],
    ['application/json;version=1;q=0, application/json', 'application/json'],
    ['application/json;profile="x";q=0, */*', 'application/json'],
    ['text/html;x=", application/json,", text/html', 'text/html'],
    [String.raw`text/html;x="\", application/json", */*;q=0.1`, 'text/html'],
    [',*/*,', 'application/json'],
    ['text/html, */*;q=0.1', 'text/html'],
    ['application/problem+json, application/json', 'application/json'],
  ])('%s chooses %s', (accept, chosen) => {
    expect(chooseMediaType(accept, both)).toBe(chosen);
  });

  it.each([
    'application/xml',
    'application/json;q=0',
    'text/csv, image/*',
    'application/json;q=bad',
  ])('%s is refused', (accept) => {
    expect(() => chooseMediaType(accept, ['application/json'])).toThrow(/application\/json/);
  });
});
