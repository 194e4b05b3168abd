// Generated from docs/openapi.json and the event schemas: `npm run openapi:write`.
/** Subject and data of an event of every type. */
export const sampleEvents = {
  "build.service.launch.created.v1": {
    "subject": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
    "data": {
      "mintAddress": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
      "creatorWallet": "BowZDEzDoChF6cyknCVcdVaVBZDH515GVPJXti8eyaAM",
      "name": "Paper Lantern",
      "symbol": "LANTERN",
      "description": "Light one, pass it on. A token for night markets and the people who stay until the end.",
      "imageUrl": "https://example.com/images/lantern.png",
      "decimals": 6,
      "totalSupply": "1000000000",
      "currentPriceInSol": null,
      "marketCapInSol": null,
      "solCollectedInSol": "0",
      "launchType": "dbc",
      "status": "bonding",
      "launchedAt": "2026-11-24T12:52:45.203Z",
      "graduatedAt": null,
      "links": {
        "telegram": null,
        "twitter": "https://x.com/lantern_demo",
        "website": "https://example.com/paper-lantern"
      },
      "pool": {
        "poolAddress": "HDencLD3KZVyY92Sv41gCzXDDHAoRsie9mk9AiMt8wKH",
        "programAddress": "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN",
        "quoteMint": "So11111111111111111111111111111111111111112",
        "baseReserveRaw": "989357454828410",
        "quoteReserveRaw": "300535713",
        "spotPriceInSol": "0.000000028521977772",
        "slot": "2011"
      }
    }
  },
  "build.service.launch.graduated.v1": {
    "subject": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
    "data": {
      "mintAddress": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
      "creatorWallet": "BowZDEzDoChF6cyknCVcdVaVBZDH515GVPJXti8eyaAM",
      "name": "Paper Lantern",
      "symbol": "LANTERN",
      "description": "Light one, pass it on. A token for night markets and the people who stay until the end.",
      "imageUrl": "https://example.com/images/lantern.png",
      "decimals": 6,
      "totalSupply": "1000000000",
      "currentPriceInSol": "0.000000057322922342",
      "marketCapInSol": "57.322922342",
      "solCollectedInSol": "85",
      "launchType": "dbc",
      "status": "graduated",
      "launchedAt": "2026-11-24T12:52:45.000Z",
      "graduatedAt": "2026-11-25T10:00:00.000Z",
      "links": {
        "telegram": null,
        "twitter": "https://x.com/lantern_demo",
        "website": "https://example.com/paper-lantern"
      }
    }
  },
  "build.service.launch.failed.v1": {
    "subject": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
    "data": {
      "mintAddress": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
      "creatorWallet": "BowZDEzDoChF6cyknCVcdVaVBZDH515GVPJXti8eyaAM",
      "name": "Paper Lantern",
      "symbol": "LANTERN",
      "description": "Light one, pass it on. A token for night markets and the people who stay until the end.",
      "imageUrl": "https://example.com/images/lantern.png",
      "decimals": 6,
      "totalSupply": "1000000000",
      "currentPriceInSol": null,
      "marketCapInSol": null,
      "solCollectedInSol": "12.95608074",
      "launchType": "dbc",
      "status": "failed",
      "launchedAt": null,
      "graduatedAt": null,
      "links": {
        "telegram": null,
        "twitter": "https://x.com/lantern_demo",
        "website": "https://example.com/paper-lantern"
      }
    }
  },
  "build.service.token.curve_completed.v1": {
    "subject": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
    "data": {
      "mintAddress": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
      "creatorWallet": "BowZDEzDoChF6cyknCVcdVaVBZDH515GVPJXti8eyaAM",
      "name": "Paper Lantern",
      "symbol": "LANTERN",
      "description": "Light one, pass it on. A token for night markets and the people who stay until the end.",
      "imageUrl": "https://example.com/images/lantern.png",
      "decimals": 6,
      "totalSupply": "1000000000",
      "currentPriceInSol": "0.000000057322922342",
      "marketCapInSol": "57.322922342",
      "solCollectedInSol": "85",
      "launchType": "dbc",
      "status": "graduating_migration_pending",
      "launchedAt": "2026-11-24T12:52:45.000Z",
      "graduatedAt": null,
      "links": {
        "telegram": null,
        "twitter": "https://x.com/lantern_demo",
        "website": "https://example.com/paper-lantern"
      }
    }
  },
  "build.service.token.creator_changed.v1": {
    "subject": "445BFpAh36VzXDswEMGY5dzjza8T6LS6sUP4oM7aSHEE",
    "data": {
      "mintAddress": "445BFpAh36VzXDswEMGY5dzjza8T6LS6sUP4oM7aSHEE",
      "poolAddress": "E9qhGZgEYkEm5yX5PVw4bBrv9DUzu9iQXUQSFBPwBkNu",
      "creatorWallet": "Gk93LSSi2a4dcaMe8RkeZLG2Qm8R9etcqR26r4RkSWmy",
      "previousCreatorWallet": "EjjDyerUan1Qjbo2aQDc4kj9ozMeRmZJJEMeo1sv2Kct",
      "slot": "2019"
    }
  },
  "build.service.wallet.traded.v1": {
    "subject": "FQYoKxYWPXe8J9PuV7gGUDKBkxxqvpTXMTn3djo9ar2f",
    "data": {
      "id": "ef758f84-3678-5f4a-83ea-3d844c15d577",
      "mintAddress": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
      "type": "buy",
      "traderWallet": "FQYoKxYWPXe8J9PuV7gGUDKBkxxqvpTXMTn3djo9ar2f",
      "solAmount": "0.079093011",
      "tokenAmount": "1368476.512425",
      "pricePerTokenInSol": "0.000000057796396417",
      "spotPriceInSol": "0.000000057322922342",
      "slot": "4784",
      "blockTime": "2026-11-24T13:11:14.000Z",
      "transactionSignature": "812h9wrDzGEhSrmFRrGnnV3s3QC9uQEAgSgTG8N57jdn7iWnw8ffXpy5snMARhTXgDfqBtNekmmwEyz3bgMYtNW"
    }
  },
  "build.service.token.traded.v1": {
    "subject": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
    "data": {
      "id": "ef758f84-3678-5f4a-83ea-3d844c15d577",
      "mintAddress": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
      "type": "buy",
      "traderWallet": "FQYoKxYWPXe8J9PuV7gGUDKBkxxqvpTXMTn3djo9ar2f",
      "solAmount": "0.079093011",
      "tokenAmount": "1368476.512425",
      "pricePerTokenInSol": "0.000000057796396417",
      "spotPriceInSol": "0.000000057322922342",
      "slot": "4784",
      "blockTime": "2026-11-24T13:11:14.000Z",
      "transactionSignature": "812h9wrDzGEhSrmFRrGnnV3s3QC9uQEAgSgTG8N57jdn7iWnw8ffXpy5snMARhTXgDfqBtNekmmwEyz3bgMYtNW"
    }
  },
  "build.service.presale.opened.v1": {
    "subject": "01a20dad-d6f3-700d-b9f9-ee2fbd0c874d",
    "data": {
      "id": "01a20dad-d6f3-700d-b9f9-ee2fbd0c874d",
      "mintAddress": "9L57rPFZ9ZMME4AynrsQHrWwe3gfz9eQVfvrvo4EqRu5",
      "status": "active",
      "allocationsBps": {
        "burn": 0,
        "pool": 4000,
        "sale": 6000
      },
      "creatorCommitmentLamports": "1000000000",
      "minCapLamports": "5000000000",
      "maxCapLamports": "20000000000",
      "perWalletCapLamports": "10000000000",
      "totalDepositedLamports": "4600000000",
      "participantCount": 4,
      "publicStartAt": "2026-11-24T13:10:25.291Z",
      "deadline": "2026-11-24T13:40:26.291Z",
      "createdAt": "2026-11-24T13:10:26.291Z",
      "updatedAt": "2026-11-24T13:11:28.393Z"
    }
  },
  "build.service.presale.settled.v1": {
    "subject": "01a20dad-d6f3-700d-b9f9-ee2fbd0c874d",
    "data": {
      "id": "01a20dad-d6f3-700d-b9f9-ee2fbd0c874d",
      "mintAddress": "9L57rPFZ9ZMME4AynrsQHrWwe3gfz9eQVfvrvo4EqRu5",
      "status": "settled",
      "allocationsBps": {
        "burn": 0,
        "pool": 4000,
        "sale": 6000
      },
      "creatorCommitmentLamports": "1000000000",
      "minCapLamports": "5000000000",
      "maxCapLamports": "20000000000",
      "perWalletCapLamports": "10000000000",
      "totalDepositedLamports": "20000000000",
      "participantCount": 84,
      "publicStartAt": "2026-11-24T13:10:25.291Z",
      "deadline": "2026-11-24T13:40:26.291Z",
      "createdAt": "2026-11-24T13:10:26.291Z",
      "updatedAt": "2026-11-24T13:11:28.393Z"
    }
  },
  "build.service.presale.failed.v1": {
    "subject": "01a20dad-d6f3-700d-b9f9-ee2fbd0c874d",
    "data": {
      "id": "01a20dad-d6f3-700d-b9f9-ee2fbd0c874d",
      "mintAddress": "9L57rPFZ9ZMME4AynrsQHrWwe3gfz9eQVfvrvo4EqRu5",
      "status": "failed",
      "allocationsBps": {
        "burn": 0,
        "pool": 4000,
        "sale": 6000
      },
      "creatorCommitmentLamports": "1000000000",
      "minCapLamports": "5000000000",
      "maxCapLamports": "20000000000",
      "perWalletCapLamports": "10000000000",
      "totalDepositedLamports": "4600000000",
      "participantCount": 4,
      "publicStartAt": "2026-11-24T13:10:25.291Z",
      "deadline": "2026-11-24T13:40:26.291Z",
      "createdAt": "2026-11-24T13:10:26.291Z",
      "updatedAt": "2026-11-24T13:11:28.393Z"
    }
  },
  "build.service.prediction_round.opened.v1": {
    "subject": "01a20dae-0f6e-77ae-9384-ab7c1be3eaea",
    "data": {
      "id": "01a20dae-0f6e-77ae-9384-ab7c1be3eaea",
      "mintAddress": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
      "status": "open",
      "minimumBalanceRaw": "1000000",
      "prizePoolLamports": "1000000000",
      "requiresDelegatedIntent": false,
      "opensAt": "2026-11-24T13:10:50.737Z",
      "locksAt": "2026-11-24T13:12:50.737Z",
      "settlesAt": "2026-11-24T13:13:05.737Z",
      "lockedAt": null,
      "settledAt": null,
      "settlementPriceInSol": null,
      "voidReason": null,
      "participantCount": 3,
      "createdAt": "2026-11-24T13:10:40.750Z",
      "updatedAt": "2026-11-24T13:10:50.906Z"
    }
  },
  "build.service.prediction_round.locked.v1": {
    "subject": "01a20dae-0f6e-77ae-9384-ab7c1be3eaea",
    "data": {
      "id": "01a20dae-0f6e-77ae-9384-ab7c1be3eaea",
      "mintAddress": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
      "status": "locked",
      "minimumBalanceRaw": "1000000",
      "prizePoolLamports": "1000000000",
      "requiresDelegatedIntent": false,
      "opensAt": "2026-11-24T13:10:50.737Z",
      "locksAt": "2026-11-24T13:12:50.737Z",
      "settlesAt": "2026-11-24T13:13:05.737Z",
      "lockedAt": "2026-11-24T13:12:50.737Z",
      "settledAt": null,
      "settlementPriceInSol": null,
      "voidReason": null,
      "participantCount": 3,
      "createdAt": "2026-11-24T13:10:40.750Z",
      "updatedAt": "2026-11-24T13:10:50.906Z"
    }
  },
  "build.service.prediction_round.settled.v1": {
    "subject": "01a20dae-0f6e-77ae-9384-ab7c1be3eaea",
    "data": {
      "id": "01a20dae-0f6e-77ae-9384-ab7c1be3eaea",
      "mintAddress": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
      "status": "settled",
      "minimumBalanceRaw": "1000000",
      "prizePoolLamports": "1000000000",
      "requiresDelegatedIntent": false,
      "opensAt": "2026-11-24T13:10:50.737Z",
      "locksAt": "2026-11-24T13:12:50.737Z",
      "settlesAt": "2026-11-24T13:13:05.737Z",
      "lockedAt": "2026-11-24T13:12:50.737Z",
      "settledAt": "2026-11-24T13:13:05.737Z",
      "settlementPriceInSol": "0.000000057322922342",
      "voidReason": null,
      "participantCount": 3,
      "createdAt": "2026-11-24T13:10:40.750Z",
      "updatedAt": "2026-11-24T13:10:50.906Z"
    }
  },
  "build.service.prediction_round.voided.v1": {
    "subject": "01a20dae-0f6e-77ae-9384-ab7c1be3eaea",
    "data": {
      "id": "01a20dae-0f6e-77ae-9384-ab7c1be3eaea",
      "mintAddress": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
      "status": "voided",
      "minimumBalanceRaw": "1000000",
      "prizePoolLamports": "1000000000",
      "requiresDelegatedIntent": false,
      "opensAt": "2026-11-24T13:10:50.737Z",
      "locksAt": "2026-11-24T13:12:50.737Z",
      "settlesAt": "2026-11-24T13:13:05.737Z",
      "lockedAt": null,
      "settledAt": null,
      "settlementPriceInSol": null,
      "voidReason": null,
      "participantCount": 3,
      "createdAt": "2026-11-24T13:10:40.750Z",
      "updatedAt": "2026-11-24T13:10:50.906Z"
    }
  },
  "build.service.prediction.submitted.v1": {
    "subject": "01a20dae-ee65-7663-9e67-acdee548d36a",
    "data": {
      "id": "01a20dae-ee65-7663-9e67-acdee548d36a",
      "roundId": "01a20dae-0f6e-77ae-9384-ab7c1be3eaea",
      "mintAddress": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
      "walletAddress": "BowZDEzDoChF6cyknCVcdVaVBZDH515GVPJXti8eyaAM",
      "predictedPriceInSol": "0.0000001",
      "status": "accepted",
      "evaluationSlot": "4833",
      "balanceRaw": "10676460186570",
      "submittedAt": "2026-11-24T13:11:37.829Z",
      "rank": null,
      "distancePpm": null,
      "payoutLamports": null
    }
  },
  "build.service.fee_distribution.completed.v1": {
    "subject": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
    "data": {
      "id": "6b04eee5-2256-5d0a-b95a-271fedbc8cfd",
      "mintAddress": "52P7Dg9vJRa1SDF1Qq5ZP4V2tKtwUoC6PoaijdniGxbV",
      "recipientWallet": "CVkz35SyPwS5mZqm46YXdVdN2EL5uhM2QrShcgoo8wVF",
      "role": "platform",
      "amountLamports": "28950707",
      "transactionSignature": "3g1s3mY3Gdm6QSm8bEtAGrs8Ey2ezbmpmjCMQDUmC4AdxsPZDTuami1UPctbBSpNiJB2KvSwM4WRToV6rwvJPd6z",
      "slot": "4833",
      "distributedAt": "2026-11-24T13:11:34.000Z"
    }
  },
  "build.service.fees.claimed.v1": {
    "subject": "01a21b1d-7ea4-750c-8e7c-b64b569fb31e",
    "data": {
      "intentId": "01a21b1d-7ea4-750c-8e7c-b64b569fb31e",
      "walletAddress": "129SpJXbsY4dxaPnSNrd5kL6BHBdoUoV5dzaQF3qVKXK",
      "transactionSignature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
      "claimedLamports": "967971322",
      "claims": [
        {
          "kind": "creator_trading_fee",
          "mintAddress": "864EVz7YEdjZ5iFNsGrmncJdPgC8CJr2s7S114c1Ktnu",
          "poolAddress": "E4cZW3iW32pfo9aSPMrwChHMa5tySPrdQ7EJPUrXfVYN",
          "positionAddress": null,
          "quoteMint": "So11111111111111111111111111111111111111112",
          "paidLamports": "57970554"
        },
        {
          "kind": "creator_surplus",
          "mintAddress": "864EVz7YEdjZ5iFNsGrmncJdPgC8CJr2s7S114c1Ktnu",
          "poolAddress": "E4cZW3iW32pfo9aSPMrwChHMa5tySPrdQ7EJPUrXfVYN",
          "positionAddress": null,
          "quoteMint": "So11111111111111111111111111111111111111112",
          "paidLamports": "160000001"
        },
        {
          "kind": "creator_migration_fee",
          "mintAddress": "864EVz7YEdjZ5iFNsGrmncJdPgC8CJr2s7S114c1Ktnu",
          "poolAddress": "E4cZW3iW32pfo9aSPMrwChHMa5tySPrdQ7EJPUrXfVYN",
          "positionAddress": null,
          "quoteMint": "So11111111111111111111111111111111111111112",
          "paidLamports": "750000000"
        },
        {
          "kind": "position_fee",
          "mintAddress": "864EVz7YEdjZ5iFNsGrmncJdPgC8CJr2s7S114c1Ktnu",
          "poolAddress": "5pwR3RC5hooYorQfy4uKMZygQ3LqNPSq3afifNfwnCzH",
          "positionAddress": "8FR4tbRmThxApHym6Sq3XjqSxTrkxre2VyGWCbDbzERp",
          "quoteMint": "So11111111111111111111111111111111111111112",
          "paidLamports": "767"
        }
      ]
    }
  },
  "build.service.operation.succeeded.v1": {
    "subject": "01a20d9d-b252-724a-bcde-769902b0934e",
    "data": {
      "id": "01a20d9d-b252-724a-bcde-769902b0934e",
      "kind": "audience_export",
      "status": "succeeded",
      "progress": {
        "completed": 6,
        "total": 6,
        "unit": "holders"
      },
      "createdAt": "2026-11-24T12:52:48.338Z",
      "startedAt": "2026-11-24T12:52:48.791Z",
      "completedAt": "2026-11-24T12:52:49.220Z",
      "resultUrl": null,
      "error": null
    }
  },
  "build.service.operation.failed.v1": {
    "subject": "01a20d9d-b252-724a-bcde-769902b0934e",
    "data": {
      "id": "01a20d9d-b252-724a-bcde-769902b0934e",
      "kind": "audience_export",
      "status": "failed",
      "progress": {
        "completed": 6,
        "total": 6,
        "unit": "holders"
      },
      "createdAt": "2026-11-24T12:52:48.338Z",
      "startedAt": "2026-11-24T12:52:48.791Z",
      "completedAt": "2026-11-24T12:52:49.220Z",
      "resultUrl": null,
      "error": {
        "type": "https://api.example/docs/reference/errors#api_dependency_unavailable",
        "title": "Dependency unavailable",
        "status": 503,
        "detail": "A backing dependency is unavailable.",
        "instance": "/api/v2/operations/01a20d9d-b252-724a-bcde-769902b0934e",
        "code": "api_dependency_unavailable",
        "requestId": "req_4bf92f3577b34da6a3ce929d0e0e4736"
      }
    }
  },
  "build.service.operation.cancelled.v1": {
    "subject": "01a20d9d-b252-724a-bcde-769902b0934e",
    "data": {
      "id": "01a20d9d-b252-724a-bcde-769902b0934e",
      "kind": "audience_export",
      "status": "cancelled",
      "progress": {
        "completed": 0,
        "total": 40
      },
      "createdAt": "2026-11-24T12:52:48.338Z",
      "startedAt": null,
      "completedAt": "2026-11-24T12:52:49.220Z",
      "resultUrl": null,
      "error": null
    }
  },
  "build.service.transaction_intent.prepared.v1": {
    "subject": "01a20dae-ee81-753b-9475-fd7414eaaa6b",
    "data": {
      "id": "01a20dae-ee81-753b-9475-fd7414eaaa6b",
      "kind": "swap",
      "status": "prepared",
      "expectedSigner": "BowZDEzDoChF6cyknCVcdVaVBZDH515GVPJXti8eyaAM",
      "recentBlockhash": "5Pu35iZFrVuyDA91NVFJ6D3aagVW325CVTSHn7ZLAJv6",
      "lastValidBlockHeight": "8340",
      "policy": {
        "allowedPrograms": [
          "ComputeBudget111111111111111111111111111111",
          "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
          "11111111111111111111111111111111",
          "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
          "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN"
        ],
        "requireSimulation": true,
        "maxComputeUnitPrice": "5000000"
      },
      "route": "fast",
      "priorityLevel": null,
      "transactionSignature": null,
      "mintAddress": "4wEcijQwrMAghMcVgFpTKrdNTkc7jmzgtjmZFSJxqB2M",
      "launchId": null,
      "quote": {
        "side": "buy",
        "mode": "exact-in",
        "inputMint": "So11111111111111111111111111111111111111112",
        "outputMint": "4wEcijQwrMAghMcVgFpTKrdNTkc7jmzgtjmZFSJxqB2M",
        "inputRaw": "100000000",
        "outputRaw": "2221931325712",
        "slippageBps": 100,
        "minimumOutputRaw": "2199712012454",
        "maximumInputRaw": null,
        "slot": "2092"
      },
      "landed": null,
      "finality": null,
      "error": null,
      "version": 1,
      "expiresAt": "2026-11-24T13:13:37.868Z",
      "createdAt": "2026-11-24T13:11:37.868Z",
      "submittedAt": null,
      "completedAt": null
    }
  },
  "build.service.transaction_intent.submitted.v1": {
    "subject": "01a20dae-ee81-753b-9475-fd7414eaaa6b",
    "data": {
      "id": "01a20dae-ee81-753b-9475-fd7414eaaa6b",
      "kind": "swap",
      "status": "submitted",
      "expectedSigner": "BowZDEzDoChF6cyknCVcdVaVBZDH515GVPJXti8eyaAM",
      "recentBlockhash": "5Pu35iZFrVuyDA91NVFJ6D3aagVW325CVTSHn7ZLAJv6",
      "lastValidBlockHeight": "8340",
      "policy": {
        "allowedPrograms": [
          "ComputeBudget111111111111111111111111111111",
          "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
          "11111111111111111111111111111111",
          "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
          "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN"
        ],
        "requireSimulation": true,
        "maxComputeUnitPrice": "5000000"
      },
      "route": "fast",
      "priorityLevel": null,
      "transactionSignature": null,
      "mintAddress": "4wEcijQwrMAghMcVgFpTKrdNTkc7jmzgtjmZFSJxqB2M",
      "launchId": null,
      "quote": {
        "side": "buy",
        "mode": "exact-in",
        "inputMint": "So11111111111111111111111111111111111111112",
        "outputMint": "4wEcijQwrMAghMcVgFpTKrdNTkc7jmzgtjmZFSJxqB2M",
        "inputRaw": "100000000",
        "outputRaw": "2221931325712",
        "slippageBps": 100,
        "minimumOutputRaw": "2199712012454",
        "maximumInputRaw": null,
        "slot": "2092"
      },
      "landed": null,
      "finality": null,
      "error": null,
      "version": 2,
      "expiresAt": "2026-11-24T13:13:37.868Z",
      "createdAt": "2026-11-24T13:11:37.868Z",
      "submittedAt": "2026-11-24T13:11:37.947Z",
      "completedAt": null
    }
  },
  "build.service.transaction_intent.confirmed.v1": {
    "subject": "01a20dae-ee81-753b-9475-fd7414eaaa6b",
    "data": {
      "id": "01a20dae-ee81-753b-9475-fd7414eaaa6b",
      "kind": "swap",
      "status": "confirmed",
      "expectedSigner": "BowZDEzDoChF6cyknCVcdVaVBZDH515GVPJXti8eyaAM",
      "recentBlockhash": "5Pu35iZFrVuyDA91NVFJ6D3aagVW325CVTSHn7ZLAJv6",
      "lastValidBlockHeight": "8340",
      "policy": {
        "allowedPrograms": [
          "ComputeBudget111111111111111111111111111111",
          "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
          "11111111111111111111111111111111",
          "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
          "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN"
        ],
        "requireSimulation": true,
        "maxComputeUnitPrice": "5000000"
      },
      "route": "fast",
      "priorityLevel": null,
      "transactionSignature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
      "mintAddress": "4wEcijQwrMAghMcVgFpTKrdNTkc7jmzgtjmZFSJxqB2M",
      "launchId": null,
      "quote": {
        "side": "buy",
        "mode": "exact-in",
        "inputMint": "So11111111111111111111111111111111111111112",
        "outputMint": "4wEcijQwrMAghMcVgFpTKrdNTkc7jmzgtjmZFSJxqB2M",
        "inputRaw": "100000000",
        "outputRaw": "2221931325712",
        "slippageBps": 100,
        "minimumOutputRaw": "2199712012454",
        "maximumInputRaw": null,
        "slot": "2092"
      },
      "landed": null,
      "finality": "confirmed",
      "error": null,
      "version": 3,
      "expiresAt": "2026-11-24T13:13:37.868Z",
      "createdAt": "2026-11-24T13:11:37.868Z",
      "submittedAt": "2026-11-24T13:11:37.947Z",
      "completedAt": "2026-11-24T13:13:37.868Z"
    }
  },
  "build.service.transaction_intent.failed.v1": {
    "subject": "01a20dae-ee81-753b-9475-fd7414eaaa6b",
    "data": {
      "id": "01a20dae-ee81-753b-9475-fd7414eaaa6b",
      "kind": "swap",
      "status": "failed",
      "expectedSigner": "BowZDEzDoChF6cyknCVcdVaVBZDH515GVPJXti8eyaAM",
      "recentBlockhash": "5Pu35iZFrVuyDA91NVFJ6D3aagVW325CVTSHn7ZLAJv6",
      "lastValidBlockHeight": "8340",
      "policy": {
        "allowedPrograms": [
          "ComputeBudget111111111111111111111111111111",
          "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
          "11111111111111111111111111111111",
          "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
          "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN"
        ],
        "requireSimulation": true,
        "maxComputeUnitPrice": "5000000"
      },
      "route": "fast",
      "priorityLevel": null,
      "transactionSignature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
      "mintAddress": "4wEcijQwrMAghMcVgFpTKrdNTkc7jmzgtjmZFSJxqB2M",
      "launchId": null,
      "quote": {
        "side": "buy",
        "mode": "exact-in",
        "inputMint": "So11111111111111111111111111111111111111112",
        "outputMint": "4wEcijQwrMAghMcVgFpTKrdNTkc7jmzgtjmZFSJxqB2M",
        "inputRaw": "100000000",
        "outputRaw": "2221931325712",
        "slippageBps": 100,
        "minimumOutputRaw": "2199712012454",
        "maximumInputRaw": null,
        "slot": "2092"
      },
      "landed": null,
      "finality": "confirmed",
      "error": {
        "code": "solana_transaction_failed",
        "detail": "The chain reported that the transaction failed."
      },
      "version": 3,
      "expiresAt": "2026-11-24T13:13:37.868Z",
      "createdAt": "2026-11-24T13:11:37.868Z",
      "submittedAt": "2026-11-24T13:11:37.947Z",
      "completedAt": "2026-11-24T13:13:37.868Z"
    }
  },
  "build.service.transaction_intent.expired.v1": {
    "subject": "01a20dae-ee81-753b-9475-fd7414eaaa6b",
    "data": {
      "id": "01a20dae-ee81-753b-9475-fd7414eaaa6b",
      "kind": "swap",
      "status": "expired",
      "expectedSigner": "BowZDEzDoChF6cyknCVcdVaVBZDH515GVPJXti8eyaAM",
      "recentBlockhash": "5Pu35iZFrVuyDA91NVFJ6D3aagVW325CVTSHn7ZLAJv6",
      "lastValidBlockHeight": "8340",
      "policy": {
        "allowedPrograms": [
          "ComputeBudget111111111111111111111111111111",
          "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
          "11111111111111111111111111111111",
          "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
          "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN"
        ],
        "requireSimulation": true,
        "maxComputeUnitPrice": "5000000"
      },
      "route": "fast",
      "priorityLevel": null,
      "transactionSignature": null,
      "mintAddress": "4wEcijQwrMAghMcVgFpTKrdNTkc7jmzgtjmZFSJxqB2M",
      "launchId": null,
      "quote": {
        "side": "buy",
        "mode": "exact-in",
        "inputMint": "So11111111111111111111111111111111111111112",
        "outputMint": "4wEcijQwrMAghMcVgFpTKrdNTkc7jmzgtjmZFSJxqB2M",
        "inputRaw": "100000000",
        "outputRaw": "2221931325712",
        "slippageBps": 100,
        "minimumOutputRaw": "2199712012454",
        "maximumInputRaw": null,
        "slot": "2092"
      },
      "landed": null,
      "finality": null,
      "error": null,
      "version": 2,
      "expiresAt": "2026-11-24T13:13:37.868Z",
      "createdAt": "2026-11-24T13:11:37.868Z",
      "submittedAt": null,
      "completedAt": "2026-11-24T13:13:37.868Z"
    }
  },
  "build.service.transaction_intent.finalized.v1": {
    "subject": "01a219a9-7b4a-70dd-a0b9-2c462a00cb26",
    "data": {
      "id": "01a219a9-7b4a-70dd-a0b9-2c462a00cb26",
      "kind": "swap",
      "status": "confirmed",
      "expectedSigner": "G4etfwECx7Z9bNojEHhy1fnnstF6V5LTxFV211MoCzzS",
      "recentBlockhash": "6USCG7oNmZrcoHoY1ERowDG9qoLcAyERY45Ne5xomhV4",
      "lastValidBlockHeight": "5766",
      "policy": {
        "allowedPrograms": [
          "ComputeBudget111111111111111111111111111111",
          "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
          "11111111111111111111111111111111",
          "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
          "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN"
        ],
        "requireSimulation": true,
        "maxComputeUnitPrice": "5000000"
      },
      "route": "fast",
      "priorityLevel": "veryHigh",
      "transactionSignature": "4MhLsogvauWm4AuSjj8JyaW1xCtfzLqefPtaAehVHvbW6RisFFesmMtDLi4sod9xjf8151vMBmjrjYCCJ8VwTuC9",
      "mintAddress": "4EBYGNAXMgmiYBZUiSs8dLmgyWZaiZDCPEAR1LgVAQDe",
      "launchId": null,
      "quote": {
        "mode": "exact-in",
        "side": "buy",
        "slot": "2266",
        "inputRaw": "50000000",
        "inputMint": "So11111111111111111111111111111111111111112",
        "outputRaw": "1178268685770",
        "outputMint": "4EBYGNAXMgmiYBZUiSs8dLmgyWZaiZDCPEAR1LgVAQDe",
        "slippageBps": 1000,
        "maximumInputRaw": null,
        "minimumOutputRaw": "1060441817193"
      },
      "landed": {
        "slot": "2267",
        "blockTime": "2026-11-26T21:01:07.000Z",
        "indexInBlock": 0,
        "succeeded": true,
        "feeLamports": "5000",
        "computeUnits": "32805",
        "tipLamports": "20000",
        "changes": {
          "tokens": [
            {
              "changeRaw": "1178268685770",
              "mintAddress": "4EBYGNAXMgmiYBZUiSs8dLmgyWZaiZDCPEAR1LgVAQDe"
            }
          ],
          "lamports": "-50025000"
        },
        "inputRaw": "50000000",
        "outputRaw": "1178268685770",
        "priceInSol": "0.000000042435142853",
        "quoteDifferenceBps": 0
      },
      "finality": "finalized",
      "error": null,
      "version": 5,
      "expiresAt": "2026-11-26T21:03:07.345Z",
      "createdAt": "2026-11-26T21:01:07.345Z",
      "submittedAt": "2026-11-26T21:01:07.373Z",
      "completedAt": "2026-11-26T21:01:07.640Z"
    }
  },
  "build.service.transaction_intent.reverted.v1": {
    "subject": "01a219a9-7b4a-70dd-a0b9-2c462a00cb26",
    "data": {
      "id": "01a219a9-7b4a-70dd-a0b9-2c462a00cb26",
      "kind": "swap",
      "status": "confirmed",
      "expectedSigner": "G4etfwECx7Z9bNojEHhy1fnnstF6V5LTxFV211MoCzzS",
      "recentBlockhash": "6USCG7oNmZrcoHoY1ERowDG9qoLcAyERY45Ne5xomhV4",
      "lastValidBlockHeight": "5766",
      "policy": {
        "allowedPrograms": [
          "ComputeBudget111111111111111111111111111111",
          "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
          "11111111111111111111111111111111",
          "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
          "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN"
        ],
        "requireSimulation": true,
        "maxComputeUnitPrice": "5000000"
      },
      "route": "fast",
      "priorityLevel": "veryHigh",
      "transactionSignature": "4MhLsogvauWm4AuSjj8JyaW1xCtfzLqefPtaAehVHvbW6RisFFesmMtDLi4sod9xjf8151vMBmjrjYCCJ8VwTuC9",
      "mintAddress": "4EBYGNAXMgmiYBZUiSs8dLmgyWZaiZDCPEAR1LgVAQDe",
      "launchId": null,
      "quote": {
        "mode": "exact-in",
        "side": "buy",
        "slot": "2266",
        "inputRaw": "50000000",
        "inputMint": "So11111111111111111111111111111111111111112",
        "outputRaw": "1178268685770",
        "outputMint": "4EBYGNAXMgmiYBZUiSs8dLmgyWZaiZDCPEAR1LgVAQDe",
        "slippageBps": 1000,
        "maximumInputRaw": null,
        "minimumOutputRaw": "1060441817193"
      },
      "landed": null,
      "finality": "reverted",
      "error": null,
      "version": 5,
      "expiresAt": "2026-11-26T21:03:07.345Z",
      "createdAt": "2026-11-26T21:01:07.345Z",
      "submittedAt": "2026-11-26T21:01:07.373Z",
      "completedAt": "2026-11-26T21:01:07.640Z"
    }
  },
  "build.service.order.opened.v1": {
    "subject": "01a21bf8-87b8-7222-a4ca-3ac16a12e8b9",
    "data": {
      "id": "01a21bf8-87b8-7222-a4ca-3ac16a12e8b9",
      "status": "open",
      "walletAddress": "7L9p1a4HxeUHnYkqq87tXaK7NeN2JjrHZnAwmfJ7TwUE",
      "mintAddress": "DZJmrRu7kdzBP12otGzsDQ38gqt6VMpgSwNaX6kRAcYP",
      "side": "buy",
      "amountRaw": "100000000",
      "limitRaw": "3311145246628",
      "slippageBps": 300,
      "trigger": {
        "price": "0.000000029295",
        "when": "at_or_below",
        "of": "spot"
      },
      "slotId": "01a21bf8-87ab-732e-985e-3773ba6a954a",
      "oco": null,
      "route": "fast",
      "priorityLevel": null,
      "tipLamports": "0",
      "transactions": [
        {
          "id": "01a21bf8-87c7-775d-9b20-3ac856098e2c",
          "venue": "curve",
          "signed": true
        },
        {
          "id": "01a21bf8-87c8-72ce-8956-88d7c07a652a",
          "venue": "amm",
          "signed": true
        }
      ],
      "triggeredBy": null,
      "attempts": 0,
      "refusal": null,
      "reason": null,
      "intentId": null,
      "transactionSignature": null,
      "landed": null,
      "advanceIntentId": null,
      "version": 2,
      "expiresAt": "2027-02-25T07:46:42.232Z",
      "createdAt": "2026-11-27T07:46:42.232Z",
      "openedAt": "2026-11-27T07:46:42.312Z",
      "completedAt": null
    }
  },
  "build.service.order.triggered.v1": {
    "subject": "01a21bf8-87b8-7222-a4ca-3ac16a12e8b9",
    "data": {
      "id": "01a21bf8-87b8-7222-a4ca-3ac16a12e8b9",
      "status": "triggered",
      "walletAddress": "7L9p1a4HxeUHnYkqq87tXaK7NeN2JjrHZnAwmfJ7TwUE",
      "mintAddress": "DZJmrRu7kdzBP12otGzsDQ38gqt6VMpgSwNaX6kRAcYP",
      "side": "buy",
      "amountRaw": "100000000",
      "limitRaw": "3311145246628",
      "slippageBps": 300,
      "trigger": {
        "price": "0.000000029295",
        "when": "at_or_below",
        "of": "spot"
      },
      "slotId": "01a21bf8-87ab-732e-985e-3773ba6a954a",
      "oco": null,
      "route": "fast",
      "priorityLevel": null,
      "tipLamports": "0",
      "transactions": [
        {
          "id": "01a21bf8-87c7-775d-9b20-3ac856098e2c",
          "venue": "curve",
          "signed": true
        },
        {
          "id": "01a21bf8-87c8-72ce-8956-88d7c07a652a",
          "venue": "amm",
          "signed": true
        }
      ],
      "triggeredBy": {
        "tradeId": "ef758f84-3678-5f4a-83ea-3d844c15d577",
        "slot": "4784",
        "price": "0.000000057796396417",
        "at": "2026-11-25T10:00:00.000Z"
      },
      "attempts": 0,
      "refusal": null,
      "reason": null,
      "intentId": null,
      "transactionSignature": null,
      "landed": null,
      "advanceIntentId": null,
      "version": 3,
      "expiresAt": "2027-02-25T07:46:42.232Z",
      "createdAt": "2026-11-27T07:46:42.232Z",
      "openedAt": "2026-11-27T07:46:42.312Z",
      "completedAt": null
    }
  },
  "build.service.order.landed.v1": {
    "subject": "01a21bf8-87b8-7222-a4ca-3ac16a12e8b9",
    "data": {
      "id": "01a21bf8-87b8-7222-a4ca-3ac16a12e8b9",
      "status": "landed",
      "walletAddress": "7L9p1a4HxeUHnYkqq87tXaK7NeN2JjrHZnAwmfJ7TwUE",
      "mintAddress": "DZJmrRu7kdzBP12otGzsDQ38gqt6VMpgSwNaX6kRAcYP",
      "side": "buy",
      "amountRaw": "100000000",
      "limitRaw": "3311145246628",
      "slippageBps": 300,
      "trigger": {
        "price": "0.000000029295",
        "when": "at_or_below",
        "of": "spot"
      },
      "slotId": "01a21bf8-87ab-732e-985e-3773ba6a954a",
      "oco": null,
      "route": "fast",
      "priorityLevel": null,
      "tipLamports": "0",
      "transactions": [
        {
          "id": "01a21bf8-87c7-775d-9b20-3ac856098e2c",
          "venue": "curve",
          "signed": true
        },
        {
          "id": "01a21bf8-87c8-72ce-8956-88d7c07a652a",
          "venue": "amm",
          "signed": true
        }
      ],
      "triggeredBy": {
        "tradeId": "ef758f84-3678-5f4a-83ea-3d844c15d577",
        "slot": "4784",
        "price": "0.000000057796396417",
        "at": "2026-11-25T10:00:00.000Z"
      },
      "attempts": 0,
      "refusal": null,
      "reason": null,
      "intentId": "01a219a9-7b4a-70dd-a0b9-2c462a00cb26",
      "transactionSignature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
      "landed": {
        "slot": "2267",
        "blockTime": "2026-11-26T21:01:07.000Z",
        "indexInBlock": 0,
        "succeeded": true,
        "feeLamports": "5000",
        "computeUnits": "32805",
        "tipLamports": "20000",
        "changes": {
          "tokens": [
            {
              "changeRaw": "1178268685770",
              "mintAddress": "4EBYGNAXMgmiYBZUiSs8dLmgyWZaiZDCPEAR1LgVAQDe"
            }
          ],
          "lamports": "-50025000"
        },
        "inputRaw": "50000000",
        "outputRaw": "1178268685770",
        "priceInSol": "0.000000042435142853",
        "quoteDifferenceBps": 0
      },
      "advanceIntentId": null,
      "version": 5,
      "expiresAt": "2027-02-25T07:46:42.232Z",
      "createdAt": "2026-11-27T07:46:42.232Z",
      "openedAt": "2026-11-27T07:46:42.312Z",
      "completedAt": "2026-11-25T10:00:00.000Z"
    }
  },
  "build.service.order.failed.v1": {
    "subject": "01a21bf8-87b8-7222-a4ca-3ac16a12e8b9",
    "data": {
      "id": "01a21bf8-87b8-7222-a4ca-3ac16a12e8b9",
      "status": "failed",
      "walletAddress": "7L9p1a4HxeUHnYkqq87tXaK7NeN2JjrHZnAwmfJ7TwUE",
      "mintAddress": "DZJmrRu7kdzBP12otGzsDQ38gqt6VMpgSwNaX6kRAcYP",
      "side": "buy",
      "amountRaw": "100000000",
      "limitRaw": "3311145246628",
      "slippageBps": 300,
      "trigger": {
        "price": "0.000000029295",
        "when": "at_or_below",
        "of": "spot"
      },
      "slotId": "01a21bf8-87ab-732e-985e-3773ba6a954a",
      "oco": null,
      "route": "fast",
      "priorityLevel": null,
      "tipLamports": "0",
      "transactions": [
        {
          "id": "01a21bf8-87c7-775d-9b20-3ac856098e2c",
          "venue": "curve",
          "signed": true
        },
        {
          "id": "01a21bf8-87c8-72ce-8956-88d7c07a652a",
          "venue": "amm",
          "signed": true
        }
      ],
      "triggeredBy": {
        "tradeId": "ef758f84-3678-5f4a-83ea-3d844c15d577",
        "slot": "4784",
        "price": "0.000000057796396417",
        "at": "2026-11-25T10:00:00.000Z"
      },
      "attempts": 0,
      "refusal": null,
      "reason": "transaction_failed",
      "intentId": "01a219a9-7b4a-70dd-a0b9-2c462a00cb26",
      "transactionSignature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
      "landed": null,
      "advanceIntentId": null,
      "version": 5,
      "expiresAt": "2027-02-25T07:46:42.232Z",
      "createdAt": "2026-11-27T07:46:42.232Z",
      "openedAt": "2026-11-27T07:46:42.312Z",
      "completedAt": "2026-11-25T10:00:00.000Z"
    }
  },
  "build.service.order.cancelled.v1": {
    "subject": "01a21bf8-87b8-7222-a4ca-3ac16a12e8b9",
    "data": {
      "id": "01a21bf8-87b8-7222-a4ca-3ac16a12e8b9",
      "status": "cancelled",
      "walletAddress": "7L9p1a4HxeUHnYkqq87tXaK7NeN2JjrHZnAwmfJ7TwUE",
      "mintAddress": "DZJmrRu7kdzBP12otGzsDQ38gqt6VMpgSwNaX6kRAcYP",
      "side": "buy",
      "amountRaw": "100000000",
      "limitRaw": "3311145246628",
      "slippageBps": 300,
      "trigger": {
        "price": "0.000000029295",
        "when": "at_or_below",
        "of": "spot"
      },
      "slotId": "01a21bf8-87ab-732e-985e-3773ba6a954a",
      "oco": null,
      "route": "fast",
      "priorityLevel": null,
      "tipLamports": "0",
      "transactions": [
        {
          "id": "01a21bf8-87c7-775d-9b20-3ac856098e2c",
          "venue": "curve",
          "signed": true
        },
        {
          "id": "01a21bf8-87c8-72ce-8956-88d7c07a652a",
          "venue": "amm",
          "signed": true
        }
      ],
      "triggeredBy": null,
      "attempts": 0,
      "refusal": null,
      "reason": "requested",
      "intentId": null,
      "transactionSignature": null,
      "landed": null,
      "advanceIntentId": "01a21bf8-8828-7278-a409-951e2a95cdaa",
      "version": 3,
      "expiresAt": "2027-02-25T07:46:42.232Z",
      "createdAt": "2026-11-27T07:46:42.232Z",
      "openedAt": "2026-11-27T07:46:42.312Z",
      "completedAt": "2026-11-27T07:46:42.353Z"
    }
  },
  "build.service.order.expired.v1": {
    "subject": "01a21bf8-87b8-7222-a4ca-3ac16a12e8b9",
    "data": {
      "id": "01a21bf8-87b8-7222-a4ca-3ac16a12e8b9",
      "status": "expired",
      "walletAddress": "7L9p1a4HxeUHnYkqq87tXaK7NeN2JjrHZnAwmfJ7TwUE",
      "mintAddress": "DZJmrRu7kdzBP12otGzsDQ38gqt6VMpgSwNaX6kRAcYP",
      "side": "buy",
      "amountRaw": "100000000",
      "limitRaw": "3311145246628",
      "slippageBps": 300,
      "trigger": {
        "price": "0.000000029295",
        "when": "at_or_below",
        "of": "spot"
      },
      "slotId": "01a21bf8-87ab-732e-985e-3773ba6a954a",
      "oco": null,
      "route": "fast",
      "priorityLevel": null,
      "tipLamports": "0",
      "transactions": [
        {
          "id": "01a21bf8-87c7-775d-9b20-3ac856098e2c",
          "venue": "curve",
          "signed": true
        },
        {
          "id": "01a21bf8-87c8-72ce-8956-88d7c07a652a",
          "venue": "amm",
          "signed": true
        }
      ],
      "triggeredBy": null,
      "attempts": 0,
      "refusal": null,
      "reason": "not_triggered",
      "intentId": null,
      "transactionSignature": null,
      "landed": null,
      "advanceIntentId": null,
      "version": 3,
      "expiresAt": "2027-02-25T07:46:42.232Z",
      "createdAt": "2026-11-27T07:46:42.232Z",
      "openedAt": "2026-11-27T07:46:42.312Z",
      "completedAt": "2027-02-25T07:46:42.232Z"
    }
  },
  "build.service.order.voided.v1": {
    "subject": "01a21bf8-87b8-7222-a4ca-3ac16a12e8b9",
    "data": {
      "id": "01a21bf8-87b8-7222-a4ca-3ac16a12e8b9",
      "status": "voided",
      "walletAddress": "7L9p1a4HxeUHnYkqq87tXaK7NeN2JjrHZnAwmfJ7TwUE",
      "mintAddress": "DZJmrRu7kdzBP12otGzsDQ38gqt6VMpgSwNaX6kRAcYP",
      "side": "buy",
      "amountRaw": "100000000",
      "limitRaw": "3311145246628",
      "slippageBps": 300,
      "trigger": {
        "price": "0.000000029295",
        "when": "at_or_below",
        "of": "spot"
      },
      "slotId": "01a21bf8-87ab-732e-985e-3773ba6a954a",
      "oco": null,
      "route": "fast",
      "priorityLevel": null,
      "tipLamports": "0",
      "transactions": [
        {
          "id": "01a21bf8-87c7-775d-9b20-3ac856098e2c",
          "venue": "curve",
          "signed": true
        },
        {
          "id": "01a21bf8-87c8-72ce-8956-88d7c07a652a",
          "venue": "amm",
          "signed": true
        }
      ],
      "triggeredBy": null,
      "attempts": 0,
      "refusal": null,
      "reason": "nonce_spent",
      "intentId": null,
      "transactionSignature": null,
      "landed": null,
      "advanceIntentId": null,
      "version": 3,
      "expiresAt": "2027-02-25T07:46:42.232Z",
      "createdAt": "2026-11-27T07:46:42.232Z",
      "openedAt": "2026-11-27T07:46:42.312Z",
      "completedAt": "2026-11-25T10:00:00.000Z"
    }
  },
  "build.service.webhook_endpoint.failing.v1": {
    "subject": "01a20dae-eefc-71b3-8320-0e874057ed05",
    "data": {
      "id": "01a20dae-eefc-71b3-8320-0e874057ed05",
      "url": "https://bot.example/launchwire",
      "description": "sample",
      "eventTypes": [
        "*"
      ],
      "subjects": null,
      "status": "enabled",
      "disabledReason": null,
      "secretRotatedAt": "2026-11-24T13:11:37.980Z",
      "previousSecretExpiresAt": null,
      "version": 1,
      "createdAt": "2026-11-24T13:11:37.980Z",
      "updatedAt": "2026-11-24T13:11:37.980Z",
      "failingSince": "2026-11-24T13:11:37.980Z"
    }
  },
  "build.service.webhook_endpoint.disabled.v1": {
    "subject": "01a20dae-eefc-71b3-8320-0e874057ed05",
    "data": {
      "id": "01a20dae-eefc-71b3-8320-0e874057ed05",
      "url": "https://bot.example/launchwire",
      "description": "sample",
      "eventTypes": [
        "*"
      ],
      "subjects": null,
      "status": "disabled",
      "disabledReason": "failing",
      "secretRotatedAt": "2026-11-24T13:11:37.980Z",
      "previousSecretExpiresAt": null,
      "version": 2,
      "createdAt": "2026-11-24T13:11:37.980Z",
      "updatedAt": "2026-11-25T10:00:00.000Z"
    }
  },
  "build.service.webhook_endpoint.created.v1": {
    "subject": "01a20dae-eefc-71b3-8320-0e874057ed05",
    "data": {
      "id": "01a20dae-eefc-71b3-8320-0e874057ed05",
      "url": "https://bot.example/launchwire",
      "description": "sample",
      "eventTypes": [
        "*"
      ],
      "subjects": null,
      "status": "enabled",
      "disabledReason": null,
      "secretRotatedAt": "2026-11-24T13:11:37.980Z",
      "previousSecretExpiresAt": null,
      "version": 1,
      "createdAt": "2026-11-24T13:11:37.980Z",
      "updatedAt": "2026-11-24T13:11:37.980Z",
      "byKeyId": "7Kq2LmNpRsTv4fGh"
    }
  },
  "build.service.webhook_endpoint.changed.v1": {
    "subject": "01a20dae-eefc-71b3-8320-0e874057ed05",
    "data": {
      "id": "01a20dae-eefc-71b3-8320-0e874057ed05",
      "url": "https://bot.example/launchwire",
      "description": "sample",
      "eventTypes": [
        "*"
      ],
      "subjects": null,
      "status": "enabled",
      "disabledReason": null,
      "secretRotatedAt": "2026-11-24T13:11:37.980Z",
      "previousSecretExpiresAt": null,
      "version": 2,
      "createdAt": "2026-11-24T13:11:37.980Z",
      "updatedAt": "2026-11-25T10:00:00.000Z",
      "byKeyId": "7Kq2LmNpRsTv4fGh",
      "changes": [
        "url",
        "eventTypes"
      ]
    }
  },
  "build.service.webhook_endpoint.secret_rotated.v1": {
    "subject": "01a20dae-eefc-71b3-8320-0e874057ed05",
    "data": {
      "id": "01a20dae-eefc-71b3-8320-0e874057ed05",
      "url": "https://bot.example/launchwire",
      "description": "sample",
      "eventTypes": [
        "*"
      ],
      "subjects": null,
      "status": "enabled",
      "disabledReason": null,
      "secretRotatedAt": "2026-11-25T10:00:00.000Z",
      "previousSecretExpiresAt": null,
      "version": 2,
      "createdAt": "2026-11-24T13:11:37.980Z",
      "updatedAt": "2026-11-25T10:00:00.000Z",
      "byKeyId": "7Kq2LmNpRsTv4fGh"
    }
  },
  "build.service.api_key.revoked.v1": {
    "subject": "4fGh7Kq2LmNpRsTv",
    "data": {
      "keyId": "4fGh7Kq2LmNpRsTv",
      "name": "reports",
      "revokedAt": "2026-11-25T10:00:00.000Z",
      "revokedByKeyId": "7Kq2LmNpRsTv4fGh"
    }
  },
  "build.service.webhook.ping.v1": {
    "subject": "01a20dae-eefc-71b3-8320-0e874057ed05",
    "data": {
      "endpointId": "01a20dae-eefc-71b3-8320-0e874057ed05"
    }
  }
} as const;
