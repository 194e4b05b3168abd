/** What the inbox knows of its sandbox: addresses, the wallet, the types of public events, and whether it may kill the api. */
export const addresses = fetch('/addresses').then((response) => response.json());
