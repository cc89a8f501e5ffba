import { afterAll } from 'vitest';
import { Receiver, receiverTls } from './receiver.ts';

const { ca, identity } = await receiverTls();

/** The settings of a service that may send to the receivers of this file. */
export const SENDS_HERE = {
  EGRESS_CA: ca,
  EGRESS_ALLOW_CIDRS_WEBHOOK: '127.0.0.0/8,::1/128',
};

/** Opens receivers for the suite that calls this, and stops them after it. */
export const useReceivers = (): (() => Promise<Receiver>) => {
  const open: Receiver[] = [];
  afterAll(() => Promise.all(open.map((one) => one.stop())));
  return async () => {
    const one = await Receiver.open(identity);
    open.push(one);
    return one;
  };
};
