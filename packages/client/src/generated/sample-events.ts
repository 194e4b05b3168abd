// Generated from docs/openapi.json and the event schemas: `npm run openapi:write`.
/** Subject and data of an event of every type. */
export const sampleEvents = {
  "build.service.launch.created.v1": {
    "subject": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
    "data": {
      "mintAddress": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
      "creatorWallet": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
      "name": "Harbor Light",
      "symbol": "HARBOR",
      "description": null,
      "imageUrl": "https://cdn.example/harbor.png",
      "decimals": 6,
      "totalSupply": "1000000000",
      "currentPriceInSol": "0.000000029295",
      "marketCapInSol": "29.295",
      "solCollectedInSol": "0",
      "launchType": "dbc",
      "status": "bonding",
      "launchedAt": "2026-11-20T10:00:00.000Z",
      "graduatedAt": null,
      "links": {
        "telegram": null,
        "twitter": "https://x.com/harborlight",
        "website": "https://harbor.example/"
      },
      "pool": {
        "poolAddress": "8Yv2jmA5WxQ7dRk3hLzTfC9pBnE4sGuM1KqXoV6wDPhJ",
        "programAddress": "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN",
        "quoteMint": "So11111111111111111111111111111111111111112",
        "baseReserveRaw": "1000000000000000",
        "quoteReserveRaw": "0",
        "spotPriceInSol": "0.000000029295",
        "slot": "312456789"
      }
    }
  },
  "build.service.launch.graduated.v1": {
    "subject": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
    "data": {
      "mintAddress": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
      "creatorWallet": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
      "name": "Harbor Light",
      "symbol": "HARBOR",
      "description": null,
      "imageUrl": "https://cdn.example/harbor.png",
      "decimals": 6,
      "totalSupply": "1000000000",
      "currentPriceInSol": "0.000000029295",
      "marketCapInSol": "29.295",
      "solCollectedInSol": "85",
      "launchType": "dbc",
      "status": "graduated",
      "launchedAt": "2026-11-20T10:00:00.000Z",
      "graduatedAt": "2026-11-21T10:00:00.000Z",
      "links": {
        "telegram": null,
        "twitter": "https://x.com/harborlight",
        "website": "https://harbor.example/"
      }
    }
  },
  "build.service.launch.failed.v1": {
    "subject": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
    "data": {
      "mintAddress": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
      "creatorWallet": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
      "name": "Harbor Light",
      "symbol": "HARBOR",
      "description": null,
      "imageUrl": "https://cdn.example/harbor.png",
      "decimals": 6,
      "totalSupply": "1000000000",
      "currentPriceInSol": null,
      "marketCapInSol": null,
      "solCollectedInSol": "0",
      "launchType": "dbc",
      "status": "failed",
      "launchedAt": null,
      "graduatedAt": null,
      "links": {
        "telegram": null,
        "twitter": "https://x.com/harborlight",
        "website": "https://harbor.example/"
      }
    }
  },
  "build.service.token.curve_completed.v1": {
    "subject": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
    "data": {
      "mintAddress": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
      "creatorWallet": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
      "name": "Harbor Light",
      "symbol": "HARBOR",
      "description": null,
      "imageUrl": "https://cdn.example/harbor.png",
      "decimals": 6,
      "totalSupply": "1000000000",
      "currentPriceInSol": "0.000000029295",
      "marketCapInSol": "29.295",
      "solCollectedInSol": "85",
      "launchType": "dbc",
      "status": "graduating_migration_pending",
      "launchedAt": "2026-11-20T10:00:00.000Z",
      "graduatedAt": null,
      "links": {
        "telegram": null,
        "twitter": "https://x.com/harborlight",
        "website": "https://harbor.example/"
      }
    }
  },
  "build.service.presale.opened.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "mintAddress": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
      "status": "active",
      "allocationsBps": {
        "burn": 0,
        "pool": 4000,
        "sale": 6000
      },
      "creatorCommitmentLamports": "5000000000",
      "minCapLamports": "50000000000",
      "maxCapLamports": "200000000000",
      "perWalletCapLamports": "2000000000",
      "totalDepositedLamports": "5000000000",
      "participantCount": 1,
      "publicStartAt": "2026-11-20T10:00:00.000Z",
      "deadline": "2026-11-21T10:00:00.000Z",
      "createdAt": "2026-11-20T10:00:00.000Z",
      "updatedAt": "2026-11-20T10:00:00.000Z"
    }
  },
  "build.service.presale.settled.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "mintAddress": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
      "status": "settled",
      "allocationsBps": {
        "burn": 0,
        "pool": 4000,
        "sale": 6000
      },
      "creatorCommitmentLamports": "5000000000",
      "minCapLamports": "50000000000",
      "maxCapLamports": "200000000000",
      "perWalletCapLamports": "2000000000",
      "totalDepositedLamports": "120000000000",
      "participantCount": 84,
      "publicStartAt": "2026-11-20T10:00:00.000Z",
      "deadline": "2026-11-21T10:00:00.000Z",
      "createdAt": "2026-11-20T10:00:00.000Z",
      "updatedAt": "2026-11-20T10:00:00.000Z"
    }
  },
  "build.service.presale.failed.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "mintAddress": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
      "status": "failed",
      "allocationsBps": {
        "burn": 0,
        "pool": 4000,
        "sale": 6000
      },
      "creatorCommitmentLamports": "5000000000",
      "minCapLamports": "50000000000",
      "maxCapLamports": "200000000000",
      "perWalletCapLamports": "2000000000",
      "totalDepositedLamports": "12000000000",
      "participantCount": 9,
      "publicStartAt": "2026-11-20T10:00:00.000Z",
      "deadline": "2026-11-21T10:00:00.000Z",
      "createdAt": "2026-11-20T10:00:00.000Z",
      "updatedAt": "2026-11-20T10:00:00.000Z"
    }
  },
  "build.service.prediction_round.opened.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "mintAddress": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
      "status": "open",
      "minimumBalanceRaw": "1000000",
      "prizePoolLamports": "10000000000",
      "requiresDelegatedIntent": false,
      "opensAt": "2026-11-20T10:00:00.000Z",
      "locksAt": "2026-11-21T10:00:00.000Z",
      "settlesAt": "2026-11-22T10:00:00.000Z",
      "lockedAt": null,
      "settledAt": null,
      "settlementPriceInSol": null,
      "voidReason": null,
      "participantCount": 0,
      "createdAt": "2026-11-19T10:00:00.000Z",
      "updatedAt": "2026-11-20T10:00:00.000Z"
    }
  },
  "build.service.prediction_round.locked.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "mintAddress": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
      "status": "locked",
      "minimumBalanceRaw": "1000000",
      "prizePoolLamports": "10000000000",
      "requiresDelegatedIntent": false,
      "opensAt": "2026-11-20T10:00:00.000Z",
      "locksAt": "2026-11-21T10:00:00.000Z",
      "settlesAt": "2026-11-22T10:00:00.000Z",
      "lockedAt": "2026-11-21T10:00:00.000Z",
      "settledAt": null,
      "settlementPriceInSol": null,
      "voidReason": null,
      "participantCount": 42,
      "createdAt": "2026-11-19T10:00:00.000Z",
      "updatedAt": "2026-11-20T10:00:00.000Z"
    }
  },
  "build.service.prediction_round.settled.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "mintAddress": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
      "status": "settled",
      "minimumBalanceRaw": "1000000",
      "prizePoolLamports": "10000000000",
      "requiresDelegatedIntent": false,
      "opensAt": "2026-11-20T10:00:00.000Z",
      "locksAt": "2026-11-21T10:00:00.000Z",
      "settlesAt": "2026-11-22T10:00:00.000Z",
      "lockedAt": "2026-11-21T10:00:00.000Z",
      "settledAt": "2026-11-22T10:00:01.000Z",
      "settlementPriceInSol": "0.00000003142",
      "voidReason": null,
      "participantCount": 42,
      "createdAt": "2026-11-19T10:00:00.000Z",
      "updatedAt": "2026-11-20T10:00:00.000Z"
    }
  },
  "build.service.prediction_round.voided.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "mintAddress": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
      "status": "voided",
      "minimumBalanceRaw": "1000000",
      "prizePoolLamports": "10000000000",
      "requiresDelegatedIntent": false,
      "opensAt": "2026-11-20T10:00:00.000Z",
      "locksAt": "2026-11-21T10:00:00.000Z",
      "settlesAt": "2026-11-22T10:00:00.000Z",
      "lockedAt": null,
      "settledAt": null,
      "settlementPriceInSol": null,
      "voidReason": null,
      "participantCount": 0,
      "createdAt": "2026-11-19T10:00:00.000Z",
      "updatedAt": "2026-11-20T10:00:00.000Z"
    }
  },
  "build.service.prediction.submitted.v1": {
    "subject": "0191e7a4-7b2f-7c4d-8e6f-1a2b3c4d5e6f",
    "data": {
      "id": "0191e7a4-7b2f-7c4d-8e6f-1a2b3c4d5e6f",
      "roundId": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "mintAddress": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
      "walletAddress": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
      "predictedPriceInSol": "0.000000031",
      "status": "accepted",
      "evaluationSlot": "312456789",
      "balanceRaw": "2500000",
      "submittedAt": "2026-11-20T10:00:14.250Z",
      "rank": null,
      "distancePpm": null,
      "payoutLamports": null
    }
  },
  "build.service.fee_distribution.completed.v1": {
    "subject": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "mintAddress": "7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw",
      "recipientWallet": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
      "role": "creator",
      "amountLamports": "125000000",
      "transactionSignature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
      "slot": "312456789",
      "distributedAt": "2026-11-20T10:00:00.000Z"
    }
  },
  "build.service.operation.succeeded.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "kind": "delivery_replay",
      "status": "succeeded",
      "progress": {
        "completed": 40,
        "total": 40,
        "unit": "deliveries"
      },
      "createdAt": "2026-11-20T10:00:00.000Z",
      "startedAt": "2026-11-20T10:00:00.000Z",
      "completedAt": "2026-11-20T10:00:14.250Z",
      "resultUrl": null,
      "error": null
    }
  },
  "build.service.operation.failed.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "kind": "delivery_replay",
      "status": "failed",
      "progress": {
        "completed": 12,
        "total": 40,
        "unit": "deliveries"
      },
      "createdAt": "2026-11-20T10:00:00.000Z",
      "startedAt": "2026-11-20T10:00:00.000Z",
      "completedAt": "2026-11-20T10:00:14.250Z",
      "resultUrl": null,
      "error": {
        "type": "https://api.example/docs/reference/errors#api_dependency_unavailable",
        "title": "Dependency unavailable",
        "status": 503,
        "detail": "A backing dependency is unavailable.",
        "instance": "/api/v2/operations/0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
        "code": "api_dependency_unavailable",
        "requestId": "req_4bf92f3577b34da6a3ce929d0e0e4736"
      }
    }
  },
  "build.service.operation.cancelled.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "kind": "delivery_replay",
      "status": "cancelled",
      "progress": {
        "completed": 0,
        "total": 40
      },
      "createdAt": "2026-11-20T10:00:00.000Z",
      "startedAt": null,
      "completedAt": "2026-11-20T10:00:14.250Z",
      "resultUrl": null,
      "error": null
    }
  },
  "build.service.transaction_intent.prepared.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "kind": "launch",
      "status": "prepared",
      "expectedSigner": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
      "recentBlockhash": "EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N",
      "lastValidBlockHeight": "290456789",
      "policy": {
        "allowedPrograms": [
          "11111111111111111111111111111111"
        ],
        "maxComputeUnitPrice": null,
        "requireSimulation": false
      },
      "transactionSignature": null,
      "error": null,
      "version": 1,
      "expiresAt": "2026-11-20T10:01:00.000Z",
      "createdAt": "2026-11-20T10:00:00.000Z",
      "submittedAt": null,
      "completedAt": null
    }
  },
  "build.service.transaction_intent.submitted.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "kind": "launch",
      "status": "submitted",
      "expectedSigner": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
      "recentBlockhash": "EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N",
      "lastValidBlockHeight": "290456789",
      "policy": {
        "allowedPrograms": [
          "11111111111111111111111111111111"
        ],
        "maxComputeUnitPrice": null,
        "requireSimulation": false
      },
      "transactionSignature": null,
      "error": null,
      "version": 2,
      "expiresAt": "2026-11-20T10:01:00.000Z",
      "createdAt": "2026-11-20T10:00:00.000Z",
      "submittedAt": "2026-11-20T10:00:14.250Z",
      "completedAt": null
    }
  },
  "build.service.transaction_intent.confirmed.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "kind": "launch",
      "status": "confirmed",
      "expectedSigner": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
      "recentBlockhash": "EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N",
      "lastValidBlockHeight": "290456789",
      "policy": {
        "allowedPrograms": [
          "11111111111111111111111111111111"
        ],
        "maxComputeUnitPrice": null,
        "requireSimulation": false
      },
      "transactionSignature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
      "error": null,
      "version": 3,
      "expiresAt": "2026-11-20T10:01:00.000Z",
      "createdAt": "2026-11-20T10:00:00.000Z",
      "submittedAt": "2026-11-20T10:00:14.250Z",
      "completedAt": "2026-11-20T10:00:14.250Z"
    }
  },
  "build.service.transaction_intent.failed.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "kind": "launch",
      "status": "failed",
      "expectedSigner": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
      "recentBlockhash": "EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N",
      "lastValidBlockHeight": "290456789",
      "policy": {
        "allowedPrograms": [
          "11111111111111111111111111111111"
        ],
        "maxComputeUnitPrice": null,
        "requireSimulation": false
      },
      "transactionSignature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
      "error": {
        "code": "solana_transaction_failed",
        "detail": "The chain reported that the transaction failed."
      },
      "version": 3,
      "expiresAt": "2026-11-20T10:01:00.000Z",
      "createdAt": "2026-11-20T10:00:00.000Z",
      "submittedAt": "2026-11-20T10:00:14.250Z",
      "completedAt": "2026-11-20T10:00:14.250Z"
    }
  },
  "build.service.transaction_intent.expired.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "kind": "launch",
      "status": "expired",
      "expectedSigner": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
      "recentBlockhash": "EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N",
      "lastValidBlockHeight": "290456789",
      "policy": {
        "allowedPrograms": [
          "11111111111111111111111111111111"
        ],
        "maxComputeUnitPrice": null,
        "requireSimulation": false
      },
      "transactionSignature": null,
      "error": null,
      "version": 2,
      "expiresAt": "2026-11-20T10:01:00.000Z",
      "createdAt": "2026-11-20T10:00:00.000Z",
      "submittedAt": null,
      "completedAt": "2026-11-20T10:00:14.250Z"
    }
  },
  "build.service.webhook_endpoint.failing.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "purpose": "subscription",
      "url": "https://bot.example/launchwire",
      "description": "trading bot",
      "eventTypes": [
        "build.service.launch.*"
      ],
      "subjects": null,
      "status": "enabled",
      "disabledReason": null,
      "secretRotatedAt": "2026-11-20T10:00:00.000Z",
      "previousSecretExpiresAt": null,
      "version": 1,
      "createdAt": "2026-11-01T10:00:00.000Z",
      "updatedAt": "2026-11-20T10:00:14.250Z",
      "failingSince": "2026-11-20T10:00:00.000Z"
    }
  },
  "build.service.webhook_endpoint.disabled.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "id": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
      "purpose": "subscription",
      "url": "https://bot.example/launchwire",
      "description": "trading bot",
      "eventTypes": [
        "build.service.launch.*"
      ],
      "subjects": null,
      "status": "disabled",
      "disabledReason": "failing",
      "secretRotatedAt": "2026-11-20T10:00:00.000Z",
      "previousSecretExpiresAt": null,
      "version": 2,
      "createdAt": "2026-11-01T10:00:00.000Z",
      "updatedAt": "2026-11-20T10:00:14.250Z"
    }
  },
  "build.service.webhook.ping.v1": {
    "subject": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
    "data": {
      "endpointId": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e"
    }
  }
} as const;
