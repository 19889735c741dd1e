/** A file that cannot be used as a contract; the message states the place and the reason. */
export class ContractFault extends Error {
  override readonly name = 'ContractFault';
}
