import type { Cause } from '../cause.ts';

const all = ['own-ai-chat', 'own-ai-phone', 'crm-webhook', 'api-webhooks'] as const;

/** Causes about names, addresses and connections. */
export const networkCauses = {
  'network/name-unknown': {
    surfaces: all,
    symptom: 'No delivery arrives, and the error speaks of a host that was not found.',
    summary: 'The host name of the address does not exist.',
    detection: 'Looking the name up gives no address of either family, and says that there is none.',
    remediation: 'Correct the host name in the address, or add the missing A or AAAA record to the zone.',
    section: 'Endpoints',
  },
  'network/name-server-fails': {
    surfaces: all,
    symptom: 'No delivery arrives, now and then or always, and the error speaks of a host that was not found.',
    summary: 'The host name could not be looked up, because no name server answered for it.',
    detection: 'Looking the name up fails without saying whether it exists.',
    remediation:
      'See that the name servers of the zone answer from outside (delegation, DNSSEC), and that this machine is online.',
    section: 'Endpoints',
  },
  'network/private-address': {
    surfaces: all,
    symptom: 'It works inside the company, and the service never reaches it.',
    summary: 'The host name leads to addresses of a private network only, which the service cannot reach.',
    detection: 'All addresses of the name are private or local ones, and none of them takes a connection.',
    remediation:
      'Give the name a public address, or put a public reverse proxy or tunnel in front and enter its address.',
    section: 'Errors',
  },
  'network/refused': {
    surfaces: all,
    symptom: 'No delivery arrives, and the error speaks of a refused connection.',
    summary: 'Nothing listens at that port.',
    detection: 'Every address of the host refuses the connection at once, twice.',
    remediation:
      'Start the endpoint, let it listen on all interfaces (0.0.0.0, not 127.0.0.1 in a container), and check the port in the address and its mapping.',
    section: 'Endpoints',
  },
  'network/filtered': {
    surfaces: all,
    symptom: 'No delivery arrives, and the error speaks of a timeout while connecting.',
    summary: 'Nobody answers at that port: something on the way drops what is sent there, or the machine is off.',
    detection: 'No address of the host takes or refuses the connection within the time for connecting.',
    remediation:
      'Open the port in the firewall or security group for the service, and see that the address belongs to a machine that runs.',
    section: 'Endpoints',
  },
  'network/no-route': {
    surfaces: all,
    symptom: 'No delivery arrives, and the error speaks of a host or network that cannot be reached.',
    summary: 'There is no way to the addresses of the host.',
    detection: 'The network says of every address that it cannot be reached.',
    remediation:
      'Check the address records of the host, and add one of the other family (A for IPv4) where only one is there.',
    section: 'Endpoints',
  },
  'network/address-dead': {
    surfaces: all,
    symptom: 'Some deliveries fail while connecting, or take seconds longer, and others work.',
    summary: 'One of the addresses of the host takes no connection while another does.',
    detection: 'The host has several addresses, and each was tried by itself.',
    remediation: 'Take the dead address out of the zone (often the AAAA record), or let the endpoint listen on it too.',
    section: 'Endpoints',
  },
} as const satisfies Record<`network/${string}`, Cause>;
