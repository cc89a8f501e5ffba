import { ContainerModule } from 'inversify';

/** Other hubs: peers, messages to and from them, and the records that two hubs share. */
export const federationModule = new ContainerModule((_options) => {
  // Peers, the hub key and requests.
  // Records across hubs.
  // Delivery of messages.
});
