import { CloudEvent, HTTP, ValidationError } from 'cloudevents';
import { describe, expect, it } from 'vitest';
import {
  CONTENT_TYPES,
  deliveryBody,
  RECEIVER_MEMBERS,
  type DeliveredEvent,
  type DeliveryTarget,
} from '../../../domain/delivery/delivery-body.ts';

const EVENT: DeliveredEvent = {
  id: '019c1f00-0000-7000-8000-000000000001',
  type: 'record.fulfilled',
  orgId: '019c1f00-0000-7000-8000-0000000000aa',
  recordId: '019c1f00-0000-7000-8000-000000000002',
  recordType: 'job',
  agentId: '019c1f00-0000-7000-8000-000000000003',
  data: {
    recordId: '019c1f00-0000-7000-8000-000000000002',
    status: 'FULFILLED',
    reason: 'gut 😀  ',
    requestId: '019c1f00-0000-7000-8000-000000000004',
  },
  createdAt: '2026-01-02T03:04:05.678Z',
};
const TARGET: DeliveryTarget = {
  subscriptionId: '019c1f00-0000-7000-8000-000000000005',
  orgId: '019c1f00-0000-7000-8000-0000000000bb',
  url: 'https://receiver.example/hook?a=b&c=%20',
  eventSequence: 7,
  format: 'standard',
};
const SOURCE = 'https://notary.example';
const read = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString()) as object;

const STANDARD = {
  id: EVENT.id,
  type: EVENT.type,
  recordId: EVENT.recordId,
  data: {
    ...EVENT.data,
    orgId: TARGET.orgId,
    subscriptionId: TARGET.subscriptionId,
    audience: TARGET.url,
  },
  eventSequence: 7,
  createdAt: EVENT.createdAt,
};

describe('the standard format', () => {
  it('holds exactly the envelope, and in its data whom it is meant for', () => {
    expect(read(deliveryBody(EVENT, TARGET, SOURCE))).toEqual(STANDARD);
  });

  it('is the same bytes whatever order the database gives the members back in', () => {
    const turned = (value: object): object =>
      Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, member]: [string, unknown]) => [
            name,
            typeof member === 'object' && member !== null ? turned(member) : member,
          ]),
      );
    expect(deliveryBody(turned(EVENT) as DeliveredEvent, TARGET, SOURCE)).toEqual(
      deliveryBody(EVENT, TARGET, SOURCE),
    );
  });

  it('says null of an event without a record', () => {
    const { recordId, ...rest } = STANDARD;
    expect(recordId).not.toBeNull();
    const body = read(deliveryBody({ ...EVENT, recordId: null }, TARGET, SOURCE));
    expect(body).toEqual({ ...rest, recordId: null });
  });

  it('depends on the subscription by its id, org, url and number alone', () => {
    const base = deliveryBody(EVENT, TARGET, SOURCE);
    for (const changed of [
      { subscriptionId: EVENT.id },
      { orgId: EVENT.id },
      { url: 'https://other.example/' },
      { eventSequence: 8 },
      { format: 'cloudevents' as const },
    ])
      expect(deliveryBody(EVENT, { ...TARGET, ...changed }, SOURCE)).not.toEqual(base);
    expect(deliveryBody(EVENT, TARGET, 'https://moved.example')).toEqual(base);
  });
});

describe('the cloudevents format', () => {
  const parse = (body: Uint8Array) => {
    const message = {
      headers: { 'content-type': CONTENT_TYPES.cloudevents },
      body: Buffer.from(body).toString(),
    };
    expect(HTTP.isEvent(message)).toBe(true);
    const event = HTTP.toEvent(message);
    if (!(event instanceof CloudEvent)) throw new TypeError('one event was sent');
    return event;
  };
  const to = { ...TARGET, format: 'cloudevents' } as const;

  it('is parsed by the official SDK, and carries the whole standard envelope', () => {
    const event = parse(deliveryBody(EVENT, to, SOURCE));
    expect(event.validate()).toBe(true);
    expect(event).toMatchObject({
      specversion: '1.0',
      id: EVENT.id,
      source: SOURCE,
      type: 'record.fulfilled',
      subject: EVENT.recordId,
      time: EVENT.createdAt,
      datacontenttype: 'application/json',
      data: STANDARD,
    });
  });

  it('has every required attribute of its own, for the SDK fills in what is missing', () => {
    expect(read(deliveryBody(EVENT, to, SOURCE))).toEqual({
      specversion: '1.0',
      id: EVENT.id,
      source: SOURCE,
      type: EVENT.type,
      subject: EVENT.recordId,
      time: EVENT.createdAt,
      datacontenttype: 'application/json',
      data: STANDARD,
    });
  });

  it('leaves the subject out where there is no record, for null is no value', () => {
    const body = deliveryBody({ ...EVENT, recordId: null }, to, SOURCE);
    expect(read(body)).not.toHaveProperty('subject');
    expect(parse(body).validate()).toBe(true);
    // The parser would have noticed.
    expect(() =>
      parse(Buffer.from(JSON.stringify({ ...read(body), subject: 7 }))).validate(),
    ).toThrow(ValidationError);
  });

  it('takes a ping, which is no event of the outbox', () => {
    const ping = { ...EVENT, type: 'webhook.ping', recordId: null } as const;
    expect(read(deliveryBody(ping, { ...TARGET, eventSequence: 0 }, SOURCE))).toMatchObject({
      type: 'webhook.ping',
      eventSequence: 0,
      recordId: null,
    });
  });
});

it('whom it is meant for cannot be said by an event', () => {
  const forged = Object.fromEntries(RECEIVER_MEMBERS.map((name) => [name, 'forged']));
  expect(read(deliveryBody({ ...EVENT, data: forged }, TARGET, SOURCE))).toMatchObject({
    data: {
      orgId: TARGET.orgId,
      subscriptionId: TARGET.subscriptionId,
      audience: TARGET.url,
    },
  });
});
