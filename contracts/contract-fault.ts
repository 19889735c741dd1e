/** A file that cannot be used as the contract that it should be; the message says where and why. */
export class ContractFault extends Error {
  override readonly name = 'ContractFault';
}
