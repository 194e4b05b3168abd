// Generated from docs/openapi.json and the event schemas: `npm run openapi:write`.
export interface components {
    schemas: {
        Candles: {
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /** @enum {string} */
            interval: "1m" | "5m" | "15m" | "1h" | "4h" | "1d";
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            to: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            data: {
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                openTime: string;
                /** @example 0.000000029295 */
                open: string;
                /** @example 0.000000029295 */
                high: string;
                /** @example 0.000000029295 */
                low: string;
                /** @example 0.000000029295 */
                close: string;
                /** @example 0.000000029295 */
                volumeInSol: string;
                /** @example 0.000000029295 */
                volumeInToken: string;
                tradeCount: number;
                closed: boolean;
            }[];
        };
        CloudEvent: {
            /** @enum {string} */
            specversion: "1.0";
            /**
             * Format: uuid
             * @description The same on every attempt and replay.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * Format: uri
             * @description Address of the API that sent it.
             */
            source: string;
            /** @description What happened. */
            type: string;
            /** @description What it is about. */
            subject: string;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T10:00:00.000Z
             */
            time: string;
            /** @enum {string} */
            datacontenttype: "application/json";
            /**
             * Format: uri
             * @description Address of the schema of `data`.
             */
            dataschema: string;
            /** @description The record that the event tells of. */
            data: Record<string, never>;
        };
        CreatedWebhookEndpoint: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /** @enum {string} */
            purpose: "subscription" | "contact";
            url: string;
            description: string | null;
            eventTypes: string[];
            /** @description null: events of all subjects */
            subjects: string[] | null;
            /** @enum {string} */
            status: "enabled" | "disabled";
            /** @enum {string|null} */
            disabledReason: "manual" | "gone" | "failing" | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            secretRotatedAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            previousSecretExpiresAt: string | null;
            version: number;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            pausedUntil: string | null;
            /** @enum {string|null} */
            pauseReason: "http_429" | "http_503" | null;
            /** @description `kid` of each Ed25519 key that signs for this endpoint alone, newest first: `/.well-known/webhook-public-keys/{id}` */
            signingKeyIds: string[];
            /** @description whsec_ + base64 of 32 bytes, shown once */
            secret: string;
        };
        FeeDistribution: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            recipientWallet: string;
            /** @enum {string} */
            role: "creator" | "platform" | "stakers";
            /** @example 1000000 */
            amountLamports: string;
            transactionSignature: string;
            /** @example 1000000 */
            slot: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            distributedAt: string;
        };
        FeeState: {
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            feeBps: {
                creator: number;
                platform: number;
                stakers: number;
            };
            /** @example 1000000 */
            accruedLamports: string;
            /** @example 1000000 */
            distributedLamports: string;
            /** @example 1000000 */
            claimableLamports: string;
            /** @example 1000000 */
            slot: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
        };
        HolderStats: {
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            holderCount: number;
            /** @enum {string} */
            provenance: "live_trade_index" | "trade_replay" | "onchain_snapshot";
            /** @example 1000000 */
            slot: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
        };
        Launch: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            creatorWallet: string;
            /** @enum {string} */
            status: "pending_launch_init" | "bonding" | "failed" | "expired";
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            poolAddress: string | null;
            name: string;
            symbol: string;
            description: string | null;
            imageUrl: string | null;
            links: {
                telegram: string | null;
                twitter: string | null;
                website: string | null;
            };
            metadataUrl: string;
            initialBuy: {
                /** @example 1000000 */
                amountRaw: string;
                slippageBps: number;
                /** @example 1000000 */
                amountOutRaw: string;
                /** @example 1000000 */
                minimumOutRaw: string;
            } | null;
            /** @example 1000000 */
            tipLamports: string;
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            intentId: string;
            intentUrl: string;
            transactionSignature: string | null;
            error: {
                code: string;
                detail: string;
            } | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            completedAt: string | null;
        };
        LaunchedToken: {
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            creatorWallet: string;
            name: string;
            symbol: string;
            description: string | null;
            imageUrl: string | null;
            decimals: number;
            /** @example 0.000000029295 */
            totalSupply: string;
            /** @example 0.000000029295 */
            currentPriceInSol: string | null;
            /** @example 0.000000029295 */
            marketCapInSol: string | null;
            /** @example 0.000000029295 */
            solCollectedInSol: string;
            /** @enum {string} */
            launchType: "dbc" | "pre_raise";
            /** @enum {string} */
            status: "pending" | "pending_launch_init" | "pending_escrows" | "pending_finalization" | "bonding" | "pre_raise_pending" | "pre_raising" | "pre_raise_settling" | "pre_raise_refunding" | "pre_raise_failed" | "graduating_migration_pending" | "graduated" | "graduation_failed" | "expired" | "cancelled" | "failed";
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            launchedAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            graduatedAt: string | null;
            links: {
                telegram: string | null;
                twitter: string | null;
                website: string | null;
            };
            pool?: {
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                poolAddress: string;
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                programAddress: string;
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                quoteMint: string;
                /** @example 1000000 */
                baseReserveRaw: string;
                /** @example 1000000 */
                quoteReserveRaw: string;
                /** @example 0.000000029295 */
                spotPriceInSol: string | null;
                /** @example 1000000 */
                slot: string;
            } | null;
        };
        MarketSnapshot: {
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            /** @example 0.000000029295 */
            priceInSol: string | null;
            /** @example 0.000000029295 */
            marketCapInSol: string | null;
            /** @example 0.000000029295 */
            liquidityInSol: string | null;
            /** @example 0.000000029295 */
            totalSupply: string;
            holderCount: number | null;
            /** @enum {string} */
            provenance: "service-indexer";
        };
        Operation: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /** @example delivery_replay */
            kind: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description absent when the operation reports none */
            progress?: {
                completed: number;
                total: number;
                unit?: string;
            };
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            completedAt: string | null;
            /** @description address of the result; ask for the operation again when it has expired */
            resultUrl: string | null;
            error: components["schemas"]["Problem"] | null;
        };
        Prediction: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            roundId: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            walletAddress: string;
            /** @example 0.000000029295 */
            predictedPriceInSol: string;
            /** @enum {string} */
            status: "accepted" | "settled" | "voided";
            /** @example 1000000 */
            evaluationSlot: string;
            /** @example 1000000 */
            balanceRaw: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            submittedAt: string;
            rank: number | null;
            /** @example 1000000 */
            distancePpm: string | null;
            /** @example 1000000 */
            payoutLamports: string | null;
        };
        PredictionEligibility: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            roundId: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            walletAddress: string;
            eligible: boolean;
            reasons: ("username_required" | "wallet_not_verified" | "insufficient_balance" | "round_not_open" | "token_not_enabled")[];
            /** @enum {string} */
            roundStatus: "scheduled" | "open" | "locked" | "settling" | "settled" | "voided";
            /** @example 1000000 */
            balanceRaw: string;
            /** @example 1000000 */
            minimumBalanceRaw: string;
            /** @example 1000000 */
            evaluationSlot: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            evaluatedAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            locksAt: string;
        };
        PredictionRound: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /** @enum {string} */
            status: "scheduled" | "open" | "locked" | "settling" | "settled" | "voided";
            /** @example 1000000 */
            minimumBalanceRaw: string;
            /** @example 1000000 */
            prizePoolLamports: string;
            requiresDelegatedIntent: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            opensAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            locksAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            settlesAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            lockedAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            settledAt: string | null;
            /** @example 0.000000029295 */
            settlementPriceInSol: string | null;
            /** @enum {string|null} */
            voidReason: "cancelled" | "no_price" | "source_not_proven" | null;
            participantCount: number;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
        };
        PredictionStandings: {
            data: {
                /**
                 * Format: uuid
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                rank: number;
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                walletAddress: string;
                username: string;
                /** @example 0.000000029295 */
                predictedPriceInSol: string;
                /** @example 1000000 */
                distancePpm: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string;
                /** @example 1000000 */
                payoutLamports?: string;
            }[];
            page: {
                hasMore: boolean;
                nextCursor: string | null;
            };
        };
        Presale: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /** @enum {string} */
            status: "draft" | "initializing" | "active" | "settling" | "settled" | "refunding" | "failed";
            allocationsBps: {
                /** @description basis points: 100 are 1 % */
                burn: number;
                /** @description basis points: 100 are 1 % */
                pool: number;
                /** @description basis points: 100 are 1 % */
                sale: number;
            };
            /** @example 1000000 */
            creatorCommitmentLamports: string;
            /** @example 1000000 */
            minCapLamports: string;
            /** @example 1000000 */
            maxCapLamports: string;
            /** @example 1000000 */
            perWalletCapLamports: string;
            /** @example 1000000 */
            totalDepositedLamports: string;
            participantCount: number;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            publicStartAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            deadline: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
        };
        PresaleParticipation: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            presaleId: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            walletAddress: string;
            /** @enum {string} */
            status: "deposited" | "refunded" | "settled";
            /** @example 1000000 */
            depositedLamports: string;
            /** @example 1000000 */
            refundedLamports: string;
            /** @example 1000000 */
            allocationRaw: string | null;
            /** @example 1000000 */
            claimedRaw: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
        };
        RecordedEvent: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            type: string;
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            recordedAt: string;
            /** @description the CloudEvent, as deliveries carry it (Events) */
            body: Record<string, never>;
        };
        RotatedWebhookSecret: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            endpointId: string;
            /** @description whsec_ + base64 of 32 bytes, shown once */
            secret: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            previousSecretExpiresAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            endedSecretExpiresAt: string | null;
            version: number;
        };
        RoundPredictions: {
            /** @enum {string} */
            visibility: "aggregate";
            participantCount: number;
        } | {
            /** @enum {string} */
            visibility: "exact";
            participantCount: number;
            data: {
                /**
                 * Format: uuid
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                walletAddress: string;
                username: string;
                /** @example 0.000000029295 */
                predictedPriceInSol: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string;
            }[];
            page: {
                hasMore: boolean;
                nextCursor: string | null;
            };
        };
        StakingLeaderboard: {
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            data: {
                rank: number;
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                walletAddress: string;
                /** @example 1000000 */
                stakedRaw: string;
                shareBps: number;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                stakedSince: string;
            }[];
        };
        StakingPool: {
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            poolAddress: string;
            /** @enum {string} */
            status: "active" | "paused" | "closed";
            /** @example 1000000 */
            totalStakedRaw: string;
            stakerCount: number;
            /** @example 1000000 */
            rewardRatePerSecondRaw: string;
            /** @example 1000000 */
            rewardsDistributedRaw: string;
            lockPeriodSeconds: number;
            /** @example 1000000 */
            slot: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
        };
        StakingPositions: {
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            data: {
                /**
                 * Format: uuid
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                walletAddress: string;
                /** @example 1000000 */
                stakedRaw: string;
                /** @example 1000000 */
                pendingRewardsRaw: string;
                /** @example 1000000 */
                claimedRewardsRaw: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                stakedAt: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                unlocksAt: string | null;
            }[];
        };
        StreamMessage: {
            /** @description the kind of message */
            event: string;
            /** @description the cursor after this message */
            id?: string;
            /** @description the topic that it belongs to */
            topic?: string;
            /** @description true for what a topic begins with */
            snapshot?: boolean;
            /** @description the record that the message tells */
            data?: unknown;
        };
        SupplyComposition: {
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            available: boolean;
            /** @enum {string|null} */
            unavailableReason: "not_launched" | "chain_unavailable" | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            computedAt: string;
            slot: number | null;
            tokenDecimals: number | null;
            /** @example 1000000 */
            totalSupply: string | null;
            /** @enum {string|null} */
            lifecycle: "bonding" | "migrating" | "graduated" | null;
            /** @enum {string|null} */
            reads: "complete" | "partial" | null;
            unreadBuckets: ("curve_unsold" | "curve_leftover" | "migration_reserve" | "pool_reserve" | "vesting_escrows" | "staking_vault" | "tokenomics_vault" | "fee_vault" | "free_float")[];
            buckets: {
                /** @enum {string} */
                key: "curve_unsold" | "curve_leftover" | "migration_reserve" | "pool_reserve" | "vesting_escrows" | "staking_vault" | "tokenomics_vault" | "fee_vault" | "free_float";
                /** @example 1000000 */
                amount: string;
                percentage: number;
                addresses: string[];
            }[];
            authorities: {
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAuthority: string | null;
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                freezeAuthority: string | null;
                /** @enum {string} */
                tokenProgram: "spl_token" | "token_2022";
                extensions: string[];
            } | null;
            lpLock: {
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                poolAddress: string;
                positionCount: number;
                permanentlyLockedBps: number;
                hasUnlockedLiquidity: boolean;
                isFullyPermanentlyLocked: boolean;
            } | null;
        };
        Swap: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            intentId: string;
            /** Format: uri */
            intentUrl: string;
            version: number;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            expectedSigner: string;
            recentBlockhash: string;
            /** @example 1000000 */
            lastValidBlockHeight: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            expiresAt: string;
            /** @example 1000000 */
            tipLamports: string;
            quote: components["schemas"]["SwapQuote"];
        };
        SwapQuote: {
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /** @enum {string} */
            venue: "bonding_curve" | "amm";
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            poolAddress: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            programAddress: string;
            /** @enum {string} */
            side: "buy" | "sell";
            /** @enum {string} */
            mode: "exact-in" | "exact-out";
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            inputMint: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            outputMint: string;
            /** @example 1000000 */
            inputRaw: string;
            /** @example 1000000 */
            outputRaw: string;
            slippageBps: number | null;
            /** @example 1000000 */
            minimumOutputRaw: string | null;
            /** @example 1000000 */
            maximumInputRaw: string | null;
            fee: {
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAddress: string;
                /** @example 0.000000029295 */
                rate: string;
                /** @example 1000000 */
                totalRaw: string;
                /** @example 1000000 */
                protocolRaw: string;
                /** @example 1000000 */
                partnerRaw: string;
                /** @example 1000000 */
                creatorRaw: string;
                /** @example 1000000 */
                liquidityProvidersRaw: string;
            };
            /** @example 0.000000029295 */
            spotPriceInSol: string;
            /** @example 0.000000029295 */
            spotPriceAfterInSol: string;
            priceImpactBps: number;
            completesCurve: boolean;
            remainingCapacity: {
                /** @example 1000000 */
                quoteRaw: string;
                /** @example 1000000 */
                baseRaw: string;
            } | null;
            /** @example 1000000 */
            slot: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
        };
        Token: {
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            creatorWallet: string;
            name: string;
            symbol: string;
            description: string | null;
            imageUrl: string | null;
            decimals: number;
            /** @example 0.000000029295 */
            totalSupply: string;
            /** @example 0.000000029295 */
            currentPriceInSol: string | null;
            /** @example 0.000000029295 */
            marketCapInSol: string | null;
            /** @example 0.000000029295 */
            solCollectedInSol: string;
            /** @enum {string} */
            launchType: "dbc" | "pre_raise";
            /** @enum {string} */
            status: "pending" | "pending_launch_init" | "pending_escrows" | "pending_finalization" | "bonding" | "pre_raise_pending" | "pre_raising" | "pre_raise_settling" | "pre_raise_refunding" | "pre_raise_failed" | "graduating_migration_pending" | "graduated" | "graduation_failed" | "expired" | "cancelled" | "failed";
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            launchedAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            graduatedAt: string | null;
            links: {
                telegram: string | null;
                twitter: string | null;
                website: string | null;
            };
        };
        Trade: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /** @enum {string} */
            type: "buy" | "sell";
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            traderWallet: string;
            /** @example 0.000000029295 */
            solAmount: string;
            /** @example 0.000000029295 */
            tokenAmount: string;
            /** @example 0.000000029295 */
            pricePerTokenInSol: string;
            /** @example 0.000000029295 */
            spotPriceInSol: string | null;
            /** @example 1000000 */
            slot: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            blockTime: string;
            transactionSignature: string;
        };
        TransactionIntent: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            kind: string;
            /** @enum {string} */
            status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            expectedSigner: string;
            /** @description base64 of the transaction to sign byte for byte */
            serializedTransaction: string;
            recentBlockhash: string | null;
            /** @example 1000000 */
            lastValidBlockHeight: string | null;
            policy: {
                allowedPrograms: string[];
                /** @example 1000000 */
                maxComputeUnitPrice: string | null;
                requireSimulation: boolean;
            };
            transactionSignature: string | null;
            error: {
                /** @enum {string} */
                code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                detail: string;
            } | null;
            version: number;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            submittedAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            completedAt: string | null;
        };
        TransactionIntentSummary: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            kind: string;
            /** @enum {string} */
            status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
            /**
             * @description base58 of 32 bytes, 32 to 44 characters
             * @example So11111111111111111111111111111111111111112
             */
            expectedSigner: string;
            recentBlockhash: string | null;
            /** @example 1000000 */
            lastValidBlockHeight: string | null;
            policy: {
                allowedPrograms: string[];
                /** @example 1000000 */
                maxComputeUnitPrice: string | null;
                requireSimulation: boolean;
            };
            transactionSignature: string | null;
            error: {
                /** @enum {string} */
                code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                detail: string;
            } | null;
            version: number;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            submittedAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            completedAt: string | null;
        };
        WalletHoldings: {
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            data: {
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAddress: string;
                name: string;
                symbol: string;
                imageUrl: string | null;
                decimals: number;
                /** @example 1000000 */
                amountRaw: string;
                /** @example 0.000000029295 */
                valueInSol: string | null;
            }[];
        };
        WebhookAttempt: {
            attemptNumber: number;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            startedAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            finishedAt: string | null;
            /** @enum {string} */
            outcome: "succeeded" | "failed" | "unknown";
            errorCode: string | null;
            /** @enum {string|null} */
            reason: "connection_refused" | "connection_timed_out" | "host_unreachable" | "connection_reset" | "connection_closed" | "response_malformed" | "response_truncated" | "response_headers_too_large" | "too_many_interim_responses" | "protocol_switched" | "event_missing" | "other" | "no_address" | "look_up_timed_out" | "look_up_not_made" | "certificate_out_of_date" | "certificate_for_other_name" | "certificate_not_trusted" | "handshake_failed" | "url_invalid" | "url_too_long" | "scheme_not_allowed" | "userinfo_not_allowed" | "fragment_not_allowed" | "port_not_allowed" | "host_not_public" | "address_not_public" | "address_not_admitted" | "location_invalid" | null;
            /** @description the request that failed or was refused; null for a success, an unknown outcome, and what was not sent */
            failedHop: {
                /** @description 0: the URL of the endpoint; else which redirect */
                redirect: number;
                /** @description scheme, host and port */
                origin: string;
            } | null;
            responseStatus: number | null;
            redirectCount: number | null;
            /** @description milliseconds; null where the attempt did not get to, or the connection was reused */
            phases: {
                dnsMs: number | null;
                connectMs: number | null;
                tlsMs: number | null;
                firstByteMs: number | null;
                totalMs: number | null;
            };
            /** @description first 1 KiB of the response, as UTF-8; null without a response, and for a key that may not read the event */
            responseStart: string | null;
        };
        WebhookDelivery: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            endpointId: string;
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            eventId: string;
            eventType: string;
            /** @enum {string} */
            status: "pending" | "processing" | "succeeded" | "retrying" | "dead_letter";
            attemptCount: number;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            deliveredAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            pausedUntil: string | null;
            /** @enum {string|null} */
            pauseReason: "http_429" | "http_503" | null;
            lastErrorCode: string | null;
            responseStatus: number | null;
        };
        WebhookEndpoint: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /** @enum {string} */
            purpose: "subscription" | "contact";
            url: string;
            description: string | null;
            eventTypes: string[];
            /** @description null: events of all subjects */
            subjects: string[] | null;
            /** @enum {string} */
            status: "enabled" | "disabled";
            /** @enum {string|null} */
            disabledReason: "manual" | "gone" | "failing" | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            secretRotatedAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            previousSecretExpiresAt: string | null;
            version: number;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T10:00:00.000Z
             */
            pausedUntil: string | null;
            /** @enum {string|null} */
            pauseReason: "http_429" | "http_503" | null;
            /** @description `kid` of each Ed25519 key that signs for this endpoint alone, newest first: `/.well-known/webhook-public-keys/{id}` */
            signingKeyIds: string[];
        };
        WebhookPing: {
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            endpointId: string;
            /**
             * Format: uuid
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            eventId: string;
        };
        Problem: {
            /** @description address of the page and anchor that explain the code */
            type: string;
            /** @description short summary; wording may change */
            title: string;
            /** @description equals the HTTP status */
            status: number;
            /** @description what happened here, for people; wording may change */
            detail: string;
            /** @description path of the request, at most its first 512 characters */
            instance: string;
            code: components["schemas"]["ProblemCode"];
            /** @description equals the header X-Request-Id; name it to support */
            requestId: string;
            /** @description every invalid field of the failing part */
            errors?: {
                /**
                 * @description JSON Pointer into the request part: /path, /query, /header or /body first
                 * @example /body/url
                 */
                path: string;
                /** @enum {string} */
                code: "required" | "invalid_type" | "invalid_format" | "invalid_value" | "out_of_range" | "too_short" | "too_long" | "unknown_field";
                /** @example is required */
                message: string;
            }[];
            /** @description typed facts about this occurrence */
            context?: {
                [key: string]: unknown;
            };
            /** @description other failures that the same check found */
            causes?: {
                code: string;
                title: string;
                detail: string;
                context?: {
                    [key: string]: unknown;
                };
            }[];
        };
        /** @enum {string} */
        ProblemCode: "api_dependency_unavailable" | "chain_unavailable" | "cursor_invalid" | "event_not_found" | "fee_state_not_found" | "holder_stats_not_found" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_request_in_progress" | "identity_unavailable" | "insufficient_scope" | "internal_error" | "invalid_api_key" | "launch_buy_out_of_range" | "launch_limit_reached" | "launch_not_found" | "launch_refused" | "launches_unavailable" | "malformed_json" | "manifest_unavailable" | "market_data_unavailable" | "market_time_range_invalid" | "operation_limit_reached" | "operation_not_found" | "precondition_failed" | "precondition_invalid" | "precondition_required" | "prediction_already_submitted" | "prediction_authorization_invalid" | "prediction_balance_unavailable" | "prediction_exact_values_locked" | "prediction_insufficient_balance" | "prediction_intent_consumed" | "prediction_intent_expired" | "prediction_intent_not_found" | "prediction_not_found" | "prediction_price_out_of_range" | "prediction_round_not_found" | "prediction_round_not_open" | "prediction_token_not_enabled" | "prediction_username_required" | "prediction_wallet_mismatch" | "prediction_wallet_not_verified" | "presale_not_found" | "presale_participation_not_found" | "rate_limit_exceeded" | "rate_limit_unavailable" | "request_body_too_large" | "staking_pool_not_found" | "stream_limit_reached" | "swap_amount_out_of_range" | "swap_quote_outdated" | "swap_refused" | "token_index_unavailable" | "token_not_found" | "token_not_tradable" | "transaction_intent_expired" | "transaction_intent_invalid_signature" | "transaction_intent_not_found" | "transaction_intent_not_prepared" | "transaction_intent_tampered" | "transaction_intent_version_conflict" | "transaction_intent_wrong_signer" | "unsupported_content_type" | "validation_failed" | "webhook_delivery_not_found" | "webhook_delivery_not_replayable" | "webhook_delivery_not_retrying" | "webhook_delivery_replay_limit_reached" | "webhook_endpoint_disabled" | "webhook_endpoint_limit_reached" | "webhook_endpoint_not_found" | "webhook_url_disallowed";
        EventData: {
            "build.service.launch.created.v1": components["schemas"]["LaunchedToken"];
            "build.service.launch.graduated.v1": components["schemas"]["Token"];
            "build.service.launch.failed.v1": components["schemas"]["Token"];
            "build.service.token.curve_completed.v1": components["schemas"]["Token"];
            "build.service.presale.opened.v1": components["schemas"]["Presale"];
            "build.service.presale.settled.v1": components["schemas"]["Presale"];
            "build.service.presale.failed.v1": components["schemas"]["Presale"];
            "build.service.prediction_round.opened.v1": components["schemas"]["PredictionRound"];
            "build.service.prediction_round.locked.v1": components["schemas"]["PredictionRound"];
            "build.service.prediction_round.settled.v1": components["schemas"]["PredictionRound"];
            "build.service.prediction_round.voided.v1": components["schemas"]["PredictionRound"];
            "build.service.prediction.submitted.v1": components["schemas"]["Prediction"];
            "build.service.fee_distribution.completed.v1": components["schemas"]["FeeDistribution"];
            "build.service.operation.succeeded.v1": components["schemas"]["Operation"];
            "build.service.operation.failed.v1": components["schemas"]["Operation"];
            "build.service.operation.cancelled.v1": components["schemas"]["Operation"];
            "build.service.transaction_intent.prepared.v1": {
                /**
                 * Format: uuid
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                kind: string;
                /** @enum {string} */
                status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                expectedSigner: string;
                recentBlockhash: string | null;
                /** @example 1000000 */
                lastValidBlockHeight: string | null;
                policy: {
                    allowedPrograms: string[];
                    /** @example 1000000 */
                    maxComputeUnitPrice: string | null;
                    requireSimulation: boolean;
                };
                transactionSignature: string | null;
                error: {
                    /** @enum {string} */
                    code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                    detail: string;
                } | null;
                version: number;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string | null;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string | null;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                completedAt: string | null;
            };
            "build.service.transaction_intent.submitted.v1": {
                /**
                 * Format: uuid
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                kind: string;
                /** @enum {string} */
                status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                expectedSigner: string;
                recentBlockhash: string | null;
                /** @example 1000000 */
                lastValidBlockHeight: string | null;
                policy: {
                    allowedPrograms: string[];
                    /** @example 1000000 */
                    maxComputeUnitPrice: string | null;
                    requireSimulation: boolean;
                };
                transactionSignature: string | null;
                error: {
                    /** @enum {string} */
                    code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                    detail: string;
                } | null;
                version: number;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string | null;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string | null;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                completedAt: string | null;
            };
            "build.service.transaction_intent.confirmed.v1": {
                /**
                 * Format: uuid
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                kind: string;
                /** @enum {string} */
                status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                expectedSigner: string;
                recentBlockhash: string | null;
                /** @example 1000000 */
                lastValidBlockHeight: string | null;
                policy: {
                    allowedPrograms: string[];
                    /** @example 1000000 */
                    maxComputeUnitPrice: string | null;
                    requireSimulation: boolean;
                };
                transactionSignature: string | null;
                error: {
                    /** @enum {string} */
                    code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                    detail: string;
                } | null;
                version: number;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string | null;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string | null;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                completedAt: string | null;
            };
            "build.service.transaction_intent.failed.v1": {
                /**
                 * Format: uuid
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                kind: string;
                /** @enum {string} */
                status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                expectedSigner: string;
                recentBlockhash: string | null;
                /** @example 1000000 */
                lastValidBlockHeight: string | null;
                policy: {
                    allowedPrograms: string[];
                    /** @example 1000000 */
                    maxComputeUnitPrice: string | null;
                    requireSimulation: boolean;
                };
                transactionSignature: string | null;
                error: {
                    /** @enum {string} */
                    code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                    detail: string;
                } | null;
                version: number;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string | null;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string | null;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                completedAt: string | null;
            };
            "build.service.transaction_intent.expired.v1": {
                /**
                 * Format: uuid
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                kind: string;
                /** @enum {string} */
                status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
                /**
                 * @description base58 of 32 bytes, 32 to 44 characters
                 * @example So11111111111111111111111111111111111111112
                 */
                expectedSigner: string;
                recentBlockhash: string | null;
                /** @example 1000000 */
                lastValidBlockHeight: string | null;
                policy: {
                    allowedPrograms: string[];
                    /** @example 1000000 */
                    maxComputeUnitPrice: string | null;
                    requireSimulation: boolean;
                };
                transactionSignature: string | null;
                error: {
                    /** @enum {string} */
                    code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                    detail: string;
                } | null;
                version: number;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string | null;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string | null;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                completedAt: string | null;
            };
            "build.service.webhook_endpoint.failing.v1": {
                /**
                 * Format: uuid
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /** @enum {string} */
                purpose: "subscription" | "contact";
                url: string;
                description: string | null;
                eventTypes: string[];
                /** @description null: events of all subjects */
                subjects: string[] | null;
                /** @enum {string} */
                status: "enabled" | "disabled";
                /** @enum {string|null} */
                disabledReason: "manual" | "gone" | "failing" | null;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                secretRotatedAt: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                previousSecretExpiresAt: string | null;
                version: number;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                updatedAt: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                failingSince: string;
            };
            "build.service.webhook_endpoint.disabled.v1": {
                /**
                 * Format: uuid
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /** @enum {string} */
                purpose: "subscription" | "contact";
                url: string;
                description: string | null;
                eventTypes: string[];
                /** @description null: events of all subjects */
                subjects: string[] | null;
                /** @enum {string} */
                status: "enabled" | "disabled";
                /** @enum {string|null} */
                disabledReason: "manual" | "gone" | "failing" | null;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                secretRotatedAt: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                previousSecretExpiresAt: string | null;
                version: number;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:00:00.000Z
                 */
                updatedAt: string;
            };
            "build.service.webhook.ping.v1": {
                /**
                 * Format: uuid
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                endpointId: string;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    getSolanaManifest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        cluster: "mainnet-beta" | "devnet" | "testnet" | "localnet";
                        genesisHash: string;
                        /**
                         * @description base58 of 32 bytes, 32 to 44 characters
                         * @example So11111111111111111111111111111111111111112
                         */
                        nativeMint: string;
                        tokenPrograms: {
                            /** @enum {string} */
                            name: "spl_token" | "token_2022";
                            /**
                             * @description base58 of 32 bytes, 32 to 44 characters
                             * @example So11111111111111111111111111111111111111112
                             */
                            address: string;
                        }[];
                        programs: {
                            name: string;
                            /**
                             * @description base58 of 32 bytes, 32 to 44 characters
                             * @example So11111111111111111111111111111111111111112
                             */
                            address: string;
                        }[];
                        launchTypes: ("dbc" | "pre_raise")[];
                        commitments: {
                            /** @enum {string} */
                            reads: "confirmed";
                            /** @enum {string} */
                            balances: "finalized";
                            /** @enum {string} */
                            submissions: "confirmed";
                        };
                        limits: {
                            [key: string]: number;
                        };
                        /**
                         * Format: date-time
                         * @example 2026-11-20T10:00:00.000Z
                         */
                        asOf: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "rate_limit_exceeded" | "internal_error" | "manifest_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getApiIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                         */
                        accountId: string;
                        keyId: string;
                        name: string;
                        /** @enum {string} */
                        environment: "live" | "test";
                        /**
                         * @description base58 of 32 bytes, 32 to 44 characters
                         * @example So11111111111111111111111111111111111111112
                         */
                        walletAddress: string;
                        scopes: ("operations:read" | "transactions:write" | "staking:read" | "fees:read" | "presales:read" | "predictions:read" | "predictions:write" | "audience:write" | "webhooks:read" | "webhooks:write")[];
                        /**
                         * Format: date-time
                         * @example 2026-11-20T10:00:00.000Z
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @example 2026-11-20T10:00:00.000Z
                         */
                        expiresAt: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "rate_limit_exceeded" | "internal_error" | "identity_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
                /** @description Only items with this status. */
                status?: "pending" | "pending_launch_init" | "pending_escrows" | "pending_finalization" | "bonding" | "pre_raise_pending" | "pre_raising" | "pre_raise_settling" | "pre_raise_refunding" | "pre_raise_failed" | "graduating_migration_pending" | "graduated" | "graduation_failed" | "expired" | "cancelled" | "failed";
                /** @description Only tokens launched this way. */
                launchType?: "dbc" | "pre_raise";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Token"][];
                        page: {
                            hasMore: boolean;
                            nextCursor: string | null;
                        };
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "cursor_invalid" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "rate_limit_unavailable" | "token_index_unavailable";
                    };
                };
            };
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "token_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "rate_limit_unavailable" | "token_index_unavailable";
                    };
                };
            };
        };
    };
    getTokenMarketSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketSnapshot"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "token_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "market_data_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listTokenCandles: {
        parameters: {
            query: {
                /** @description Start of the window, included. */
                from: string;
                /** @description End of the window, not included. */
                to: string;
                /** @description Length of one candle; candles are aligned to the Unix epoch. */
                interval: "1m" | "5m" | "15m" | "1h" | "4h" | "1d";
                /** @description `trade`: what traders paid or received, fees counted. `spot`: the price of the pool after each trade. */
                price?: "trade" | "spot";
            };
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Candles"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "token_not_found" | "market_time_range_invalid" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "market_data_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listTokenTrades: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
                /** @description only the trades of the transaction with this signature */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @example 2026-11-20T10:00:00.000Z
                         */
                        asOf: string;
                        data: components["schemas"]["Trade"][];
                        page: {
                            hasMore: boolean;
                            nextCursor: string | null;
                        };
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "cursor_invalid" | "token_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "market_data_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getTokenHolderStats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HolderStats"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "holder_stats_not_found" | "token_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "market_data_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listWalletHoldings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Address of the wallet. base58 of 32 bytes, 32 to 44 characters */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletHoldings"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "validation_failed" | "rate_limit_exceeded" | "internal_error" | "market_data_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getTokenSupplyComposition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupplyComposition"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "token_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getStakingPool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StakingPool"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "staking_pool_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listStakingLeaderboard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StakingLeaderboard"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "staking_pool_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listOwnedStakingPositions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StakingPositions"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "staking_pool_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getTokenFeeState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeeState"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "fee_state_not_found" | "token_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listTokenFeeDistributions: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FeeDistribution"][];
                        page: {
                            hasMore: boolean;
                            nextCursor: string | null;
                        };
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "cursor_invalid" | "invalid_api_key" | "insufficient_scope" | "token_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listPresales: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Presale"][];
                        page: {
                            hasMore: boolean;
                            nextCursor: string | null;
                        };
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "cursor_invalid" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getPresale: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Presale id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Presale"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "presale_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getPresaleParticipation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Presale id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresaleParticipation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "presale_participation_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listPredictionRounds: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PredictionRound"][];
                        page: {
                            hasMore: boolean;
                            nextCursor: string | null;
                        };
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "cursor_invalid" | "prediction_token_not_enabled" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getPredictionRound: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
                /** @description Prediction round id. */
                roundId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredictionRound"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "prediction_round_not_found" | "prediction_token_not_enabled" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listRoundPredictions: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
                /** @description Prediction round id. */
                roundId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoundPredictions"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "cursor_invalid" | "prediction_round_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listPredictionStandings: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. without it a page holds 500 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
                /** @description Prediction round id. */
                roundId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredictionStandings"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "cursor_invalid" | "prediction_round_not_found" | "prediction_exact_values_locked" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getPredictionEligibility: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
                /** @description Prediction round id. */
                roundId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredictionEligibility"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "prediction_round_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "prediction_balance_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getOwnedPrediction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Prediction id. */
                predictionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prediction"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "prediction_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    createPrediction: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "roundId": "0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e",
                 *       "walletAddress": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *       "predictedPriceInSol": "0.000000031"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                     */
                    roundId: string;
                    /**
                     * @description base58 of 32 bytes, 32 to 44 characters
                     * @example So11111111111111111111111111111111111111112
                     */
                    walletAddress: string;
                    /** @example 0.000000029295 */
                    predictedPriceInSol: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prediction"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "prediction_authorization_invalid" | "prediction_wallet_mismatch" | "prediction_intent_not_found" | "prediction_round_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "prediction_already_submitted" | "prediction_insufficient_balance" | "prediction_intent_consumed" | "prediction_intent_expired" | "prediction_round_not_open" | "prediction_token_not_enabled" | "prediction_username_required" | "prediction_wallet_not_verified" | "request_body_too_large" | "unsupported_content_type" | "prediction_price_out_of_range" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "prediction_balance_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Operation id. */
                operationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "operation_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getTransactionIntent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Transaction intent id, as returned by the flow that prepared it. */
                intentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionIntent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "transaction_intent_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    submitTransactionIntent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Transaction intent id, as returned by the flow that prepared it. */
                intentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "signedTransaction": "AQAB…",
                 *       "version": 1
                 *     }
                 */
                "application/json": {
                    /** @description base64 of the wallet-signed prepared transaction */
                    signedTransaction: string;
                    version?: number;
                };
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionIntent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "precondition_invalid" | "invalid_api_key" | "insufficient_scope" | "transaction_intent_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "transaction_intent_expired" | "transaction_intent_not_prepared" | "transaction_intent_version_conflict" | "request_body_too_large" | "unsupported_content_type" | "transaction_intent_invalid_signature" | "transaction_intent_tampered" | "transaction_intent_wrong_signer" | "validation_failed" | "precondition_required" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"][];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://bot.example/launchwire",
                 *       "description": "trading bot",
                 *       "eventTypes": [
                 *         "build.service.launch.*",
                 *         "build.service.transaction_intent.confirmed.v1"
                 *       ]
                 *     }
                 */
                "application/json": {
                    url: string;
                    /** @enum {string} */
                    purpose?: "subscription" | "contact";
                    description?: string | null;
                    eventTypes?: string[];
                    /** @description only events of these subjects; null: of all */
                    subjects?: string[] | null;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookEndpoint"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "idempotency_key_reused" | "idempotency_request_in_progress" | "webhook_endpoint_limit_reached" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "webhook_url_disallowed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Webhook endpoint id. */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "webhook_endpoint_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Webhook endpoint id. */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                         */
                        id: string;
                        /** @enum {boolean} */
                        deleted: true;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "precondition_invalid" | "invalid_api_key" | "insufficient_scope" | "webhook_endpoint_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "precondition_failed" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "precondition_required" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Webhook endpoint id. */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "enabled"
                 *     }
                 */
                "application/json": {
                    url?: string;
                    description?: string | null;
                    eventTypes?: string[];
                    /** @description only events of these subjects; null: of all */
                    subjects?: string[] | null;
                    /** @enum {string} */
                    status?: "enabled" | "disabled";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "precondition_invalid" | "invalid_api_key" | "insufficient_scope" | "webhook_endpoint_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "precondition_failed" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "webhook_url_disallowed" | "precondition_required" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Webhook endpoint id. */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "previousSecretTtlSeconds": 86400
                 *     }
                 */
                "application/json": {
                    /**
                     * @description how long the old secret signs too
                     * @default 86400
                     */
                    previousSecretTtlSeconds?: number;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedWebhookSecret"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "precondition_invalid" | "invalid_api_key" | "insufficient_scope" | "webhook_endpoint_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "precondition_failed" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "precondition_required" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
                /** @description Only items with this status. */
                status?: "pending" | "processing" | "succeeded" | "retrying" | "dead_letter";
                eventType?: "build.service.launch.created.v1" | "build.service.launch.graduated.v1" | "build.service.launch.failed.v1" | "build.service.token.curve_completed.v1" | "build.service.presale.opened.v1" | "build.service.presale.settled.v1" | "build.service.presale.failed.v1" | "build.service.prediction_round.opened.v1" | "build.service.prediction_round.locked.v1" | "build.service.prediction_round.settled.v1" | "build.service.prediction_round.voided.v1" | "build.service.prediction.submitted.v1" | "build.service.fee_distribution.completed.v1" | "build.service.operation.succeeded.v1" | "build.service.operation.failed.v1" | "build.service.operation.cancelled.v1" | "build.service.transaction_intent.prepared.v1" | "build.service.transaction_intent.submitted.v1" | "build.service.transaction_intent.confirmed.v1" | "build.service.transaction_intent.failed.v1" | "build.service.transaction_intent.expired.v1" | "build.service.webhook_endpoint.failing.v1" | "build.service.webhook_endpoint.disabled.v1" | "build.service.webhook.ping.v1";
                eventId?: string;
                createdAfter?: string;
                createdBefore?: string;
            };
            header?: never;
            path: {
                /** @description Webhook endpoint id. */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        page: {
                            hasMore: boolean;
                            nextCursor: string | null;
                        };
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "cursor_invalid" | "invalid_api_key" | "insufficient_scope" | "webhook_endpoint_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Delivery id, from `listWebhookDeliveries`. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "webhook_delivery_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "webhook_delivery_not_replayable" | "webhook_delivery_replay_limit_reached" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getSwapQuote: {
        parameters: {
            query: {
                side: "buy" | "sell";
                /** @description raw units of what goes in, or with `exact-out` of what comes out: lamports of SOL, base units of the token */
                amountRaw: string;
                mode?: "exact-in" | "exact-out";
                /** @description how much worse than quoted a swap may become, in basis points */
                slippageBps?: number;
            };
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SwapQuote"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "token_not_found" | "token_not_tradable" | "swap_amount_out_of_range" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "chain_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    createSwap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "side": "buy",
                 *       "amountRaw": "100000000",
                 *       "slippageBps": 100,
                 *       "computeUnitPrice": "auto"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    side: "buy" | "sell";
                    /**
                     * @description raw units of what goes in, or with `exact-out` of what comes out: lamports of SOL, base units of the token
                     * @example 1000000
                     */
                    amountRaw: string;
                    /** @enum {string} */
                    mode?: "exact-in" | "exact-out";
                    /**
                     * @description how much worse than quoted a swap may become, in basis points
                     * @default 50
                     */
                    slippageBps?: number;
                    /**
                     * @description minimumOutputRaw or maximumInputRaw of an earlier quote, in place of slippageBps
                     * @example 1000000
                     */
                    limitRaw?: string;
                    /**
                     * @description micro-lamports per compute unit, or `auto`: what recent blocks asked of this pool
                     * @example auto
                     */
                    computeUnitPrice?: string;
                    /** @enum {string} */
                    transactionVersion?: "legacy" | "v0" | "v1";
                    /**
                     * @description simulate in any case; without it a swap like one that was simulated a moment ago is not
                     * @default false
                     */
                    simulate?: boolean;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Swap"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "token_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "swap_quote_outdated" | "swap_refused" | "token_not_tradable" | "request_body_too_large" | "unsupported_content_type" | "swap_amount_out_of_range" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "chain_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    createLaunch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Copper Wire",
                 *       "symbol": "COPPER",
                 *       "description": "Conducts.",
                 *       "imageUrl": "https://images.example.com/copper.png",
                 *       "links": {
                 *         "twitter": "@copperwire",
                 *         "website": "https://copperwire.example.com"
                 *       },
                 *       "initialBuy": {
                 *         "amountRaw": "100000000",
                 *         "slippageBps": 100
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description at most 32 bytes in UTF-8 */
                    name: string;
                    /** @description at most 10 bytes in UTF-8 */
                    symbol: string;
                    description?: string | null;
                    /** @description https, ipfs or ar address of a picture */
                    imageUrl?: string | null;
                    links?: {
                        telegram?: string | null;
                        twitter?: string | null;
                        website?: string | null;
                    };
                    initialBuy?: {
                        /**
                         * @description lamports that go in, fee included
                         * @example 100000000
                         */
                        amountRaw: string;
                        slippageBps?: number;
                    } | null;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Launch"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "idempotency_key_reused" | "idempotency_request_in_progress" | "launch_limit_reached" | "launch_refused" | "request_body_too_large" | "unsupported_content_type" | "launch_buy_out_of_range" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "chain_unavailable" | "launches_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getLaunch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                launchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Launch"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "launch_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listTransactionIntents: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
                /** @description Only items with this status. */
                status?: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
                /** @description Only items of this kind. a kind: lowercase letters, digits and underscores */
                kind?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TransactionIntentSummary"][];
                        page: {
                            hasMore: boolean;
                            nextCursor: string | null;
                        };
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "cursor_invalid" | "invalid_api_key" | "insufficient_scope" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listOperations: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
                /** @description Only items with this status. */
                status?: "queued" | "running" | "succeeded" | "failed" | "cancelled";
                /** @description Only items of this kind. a kind: lowercase letters, digits and underscores */
                kind?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Operation"][];
                        page: {
                            hasMore: boolean;
                            nextCursor: string | null;
                        };
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "cursor_invalid" | "invalid_api_key" | "insufficient_scope" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    createAudienceExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token. base58 of 32 bytes, 32 to 44 characters */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "minimumBalanceRaw": "1000000",
                 *       "top": 1000,
                 *       "format": "ndjson"
                 *     }
                 */
                "application/json": {
                    /** @description a positive amount of raw units: wallets with less are left out; 1 without it */
                    minimumBalanceRaw?: string;
                    /** @description only as many wallets, those with the largest balances */
                    top?: number;
                    /** @description a slot: the snapshot is of that slot or a later one */
                    minSlot?: string;
                    /** @enum {string} */
                    format?: "csv" | "ndjson";
                };
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "token_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "operation_limit_reached" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Delivery id, from `listWebhookDeliveries`. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "webhook_delivery_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listWebhookAttempts: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Delivery id, from `listWebhookDeliveries`. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookAttempt"][];
                        page: {
                            hasMore: boolean;
                            nextCursor: string | null;
                        };
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "cursor_invalid" | "invalid_api_key" | "insufficient_scope" | "webhook_delivery_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    retryWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Delivery id, from `listWebhookDeliveries`. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "webhook_delivery_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "webhook_delivery_not_retrying" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    pingWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Webhook endpoint id. */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPing"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "webhook_endpoint_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "webhook_endpoint_disabled" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
                /** @description an event type, a prefix ending in .*, or * */
                type?: string;
                /** @description a mint address, or the id of a presale, round, prediction, operation, intent or endpoint */
                subject?: string;
                createdAfter?: string;
                createdBefore?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecordedEvent"][];
                        page: {
                            hasMore: boolean;
                            nextCursor: string | null;
                        };
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "cursor_invalid" | "invalid_api_key" | "insufficient_scope" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedEvent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "event_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    recoverWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Webhook endpoint id. */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-11-20T10:00:00.000Z",
                 *       "statuses": [
                 *         "missed",
                 *         "dead_letter"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @example 2026-11-20T10:00:00.000Z
                     */
                    since: string;
                    statuses?: ("missed" | "dead_letter" | "succeeded")[];
                };
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "webhook_endpoint_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "operation_limit_reached" | "webhook_endpoint_disabled" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
}
