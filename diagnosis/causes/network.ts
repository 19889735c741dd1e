import type { Cause } from '../cause.ts';
import { endpointSurfaces } from '../../specs/surfaces.ts';

/** Causes in DNS and TCP. */
export const networkCauses = {
  'network/name-unknown': {
    surfaces: endpointSurfaces,
    symptom: 'No delivery arrives, and the error says that the host was not found.',
    summary: 'The host name of the address does not exist.',
    detection: 'The DNS lookup returns no address of either family and reports that the name does not exist.',
    remediation:
      'Correct the host name in the address, or add the missing A or AAAA record to the zone. If only a proxy of this network resolves the name, set HTTPS_PROXY, or proxy in the config.',
    section: 'Endpoints',
  },
  'network/name-server-fails': {
    surfaces: endpointSurfaces,
    symptom: 'Some or all deliveries do not arrive, and the error says that the host was not found.',
    summary: 'The host name could not be resolved because no name server answered for it.',
    detection: 'The DNS lookup fails without reporting whether the name exists.',
    remediation:
      'Check that the name servers of the zone answer from outside (delegation, DNSSEC) and that this machine is online.',
    section: 'Endpoints',
  },
  'network/proxy': {
    surfaces: endpointSurfaces,
    symptom: 'No delivery leaves the network of this machine, and the error mentions a proxy.',
    summary: 'The proxy through which this machine reaches the endpoint opens no connection to it.',
    detection: 'The proxy cannot be reached, or answers CONNECT with a status other than 2xx.',
    remediation:
      'Correct the address or the credentials of the proxy (proxy in the config, HTTPS_PROXY or HTTP_PROXY), allow the host of the endpoint there, or list it in NO_PROXY.',
    section: 'Endpoints',
  },
  'network/private-address': {
    surfaces: endpointSurfaces,
    symptom: 'The endpoint works inside the company, but the service never reaches it.',
    summary: 'The host name resolves only to addresses of a private network, which the service cannot reach.',
    detection: 'All addresses of the name are private or local, and none of them accepts a connection.',
    remediation:
      'Give the name a public address, or put a public reverse proxy or tunnel in front of the endpoint and enter its address.',
    section: 'Errors',
  },
  'network/refused': {
    surfaces: endpointSurfaces,
    symptom: 'No delivery arrives, and the error says that the connection was refused.',
    summary: 'No process listens on that port.',
    detection: 'Every address of the host refuses the connection immediately, twice.',
    remediation:
      'Start the endpoint, let it listen on all interfaces (0.0.0.0, not 127.0.0.1 in a container), and check the port in the address and its mapping.',
    section: 'Endpoints',
  },
  'network/filtered': {
    surfaces: endpointSurfaces,
    symptom: 'No delivery arrives, and the error reports a timeout while connecting.',
    summary: 'The port does not respond: the packets are dropped on the way, or the machine is off.',
    detection: 'No address of the host accepts or refuses the connection within the connection timeout.',
    remediation:
      'Open the port for the service in the firewall or security group, and check that the address belongs to a running machine.',
    section: 'Endpoints',
  },
  'network/no-route': {
    surfaces: endpointSurfaces,
    symptom: 'No delivery arrives, and the error says that the host or network is unreachable.',
    summary: 'There is no network route to the addresses of the host.',
    detection: 'The network reports every address as unreachable.',
    remediation:
      'Check the address records of the host, and add a record of the other family (A for IPv4) if it has only one family.',
    section: 'Endpoints',
  },
  'network/address-dead': {
    surfaces: endpointSurfaces,
    symptom: 'Some deliveries fail while connecting or take seconds longer, while others work.',
    summary: 'One of the addresses of the host does not accept connections, while another one does.',
    detection: 'The host has several addresses, and each was tried separately.',
    remediation: 'Remove the dead address from the zone (often the AAAA record), or let the endpoint listen on it too.',
    section: 'Endpoints',
  },
} as const satisfies Record<`network/${string}`, Cause>;
