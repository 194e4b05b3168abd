// Generated from docs/openapi.json and the event schemas: `npm run openapi:write`.
export interface components {
    schemas: {
        ApiKey: {
            /**
             * @description Public part of the key: the third of its parts.
             * @example 4fGh7Kq2LmNpRsTv
             */
            id: string;
            /** @description Name of the key. */
            name: string;
            /**
             * @description Environment of the key.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * @description Address of the wallet.
             * @example So11111111111111111111111111111111111111112
             */
            walletAddress: string;
            /** @description Scopes of the key. */
            scopes: ("operations:read" | "transactions:write" | "staking:read" | "fees:read" | "presales:read" | "predictions:read" | "predictions:write" | "audience:write" | "webhooks:read" | "webhooks:write" | "keys:write")[];
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the key expires; null if it does not expire.
             * @example 2026-11-20T10:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked; null if it is not revoked.
             * @example 2026-11-20T10:00:00.000Z
             */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description When the key was last used, rounded to the minute; null if no use was recorded.
             * @example 2026-11-20T10:00:00.000Z
             */
            lastUsedAt: string | null;
        };
        CancelledOperation: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description Purpose of the operation.
             * @example delivery_replay
             */
            kind: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description Progress of the work; absent until some is reported. */
            progress?: {
                /** @description Number of units that are done. */
                completed: number;
                /** @description Number of units of the whole work. */
                total: number;
                /** @description Name of the unit. */
                unit?: string;
            };
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it began; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description When it ended; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            completedAt: string | null;
            /** @description Address at which the result can be downloaded; null while there is none. When the address has expired, read the operation again. */
            resultUrl: string | null;
            /** @description Why it failed; null if it did not fail. */
            error: components["schemas"]["Problem"] | null;
            /** @description Whether the operation was asked to stop. */
            cancelRequested: boolean;
        };
        CancelledOrder: {
            order: components["schemas"]["Order"];
            /** @description Null if there is no intent. */
            sending: components["schemas"]["Sending"] | null;
            /** @description The transaction intent that advances the nonce. It makes every signature with the old nonce worthless. Null if there is none. */
            intent: components["schemas"]["TransactionIntent"] | null;
            /** @description Why there is no intent; null if there is one. */
            missing: ("nothing_signed" | "nonce_spent" | "chain_unavailable" | "refused") | null;
        };
        Candles: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Length of a candle.
             * @enum {string}
             */
            interval: "1m" | "5m" | "15m" | "1h" | "4h" | "1d";
            /**
             * Format: date-time
             * @description Start of the window, included.
             * @example 2026-11-20T10:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the window, not included.
             * @example 2026-11-20T10:00:00.000Z
             */
            to: string;
            /**
             * Format: date-time
             * @description When this was observed.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            /** @description The candles, oldest first. */
            data: {
                /**
                 * Format: date-time
                 * @description When the candle begins.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                openTime: string;
                /**
                 * @description First price.
                 * @example 0.000000029295
                 */
                open: string;
                /**
                 * @description Highest price.
                 * @example 0.000000029295
                 */
                high: string;
                /**
                 * @description Lowest price.
                 * @example 0.000000029295
                 */
                low: string;
                /**
                 * @description Last price.
                 * @example 0.000000029295
                 */
                close: string;
                /**
                 * @description SOL traded in the candle.
                 * @example 0.000000029295
                 */
                volumeInSol: string;
                /**
                 * @description Whole tokens traded in the candle.
                 * @example 0.000000029295
                 */
                volumeInToken: string;
                /** @description Trades in the candle. */
                tradeCount: number;
                /** @description True if the candle has ended and all its trades are proven to be read. It then never changes. */
                closed: boolean;
            }[];
        };
        Claim: {
            /**
             * @description Kind of the claim: what is paid, and which instruction pays it.
             * @enum {string}
             */
            kind: "creator_trading_fee" | "partner_trading_fee" | "creator_surplus" | "partner_surplus" | "creator_migration_fee" | "partner_migration_fee" | "leftover" | "position_fee";
            /**
             * @description The pool that pays: the bonding curve, or the AMM pool of the position.
             * @example So11111111111111111111111111111111111111112
             */
            poolAddress: string;
            /**
             * @description The position that earned the fees; null for a claim on the curve.
             * @example So11111111111111111111111111111111111111112
             */
            positionAddress: string | null;
            /**
             * @description The token that the pool trades against, mostly wrapped SOL.
             * @example So11111111111111111111111111111111111111112
             */
            quoteMint: string;
            /**
             * @description Amount in base units of `quoteMint`: lamports for SOL.
             * @example 1000000
             */
            quoteRaw: string;
            /**
             * @description Amount in base units of the token itself.
             * @example 1000000
             */
            baseRaw: string;
            /**
             * @description Slot of the chain at which this was read.
             * @example 1000000
             */
            slot: string;
        };
        ClaimableFees: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /** @description Name of the token. */
            name: string;
            /** @description Ticker of the token. */
            symbol: string;
            /** @description Decimal places of `baseRaw`. */
            decimals: number;
            /**
             * @description Total lamports of the claims below that pay SOL.
             * @example 1000000
             */
            lamports: string;
            /**
             * @description Total base units of the token in the claims below.
             * @example 1000000
             */
            baseRaw: string;
            /** @description The claims: one for each instruction that pays something. Amounts are never 0. */
            claims: components["schemas"]["Claim"][];
            /** @description Parts that could not be read. What they would pay is unknown. */
            unread: ("curve" | "leftover" | "positions")[];
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
             * @description Address of the API that sent the event.
             */
            source: string;
            /** @description What happened. */
            type: string;
            /** @description Subject of the event. */
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
            /** @description The record that the event reports. */
            data: {
                [key: string]: unknown;
            };
        };
        CreatedWebhookEndpoint: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /** @description Address to which deliveries are sent: https, on the public internet. */
            url: string;
            /** @description Your description; null if there is none. */
            description: string | null;
            /** @description Event types, prefixes that end in `.*`, or `*`. */
            eventTypes: string[];
            /** @description Only events about these mints and ids are sent; null for all events. At most 100, or 1,000 wallets and mints if `eventTypes` has only trades. */
            subjects: string[] | null;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "enabled" | "disabled";
            /** @description Why the endpoint is disabled; null if it is not. */
            disabledReason: ("manual" | "gone" | "failing") | null;
            /**
             * Format: date-time
             * @description When the secret was last replaced.
             * @example 2026-11-20T10:00:00.000Z
             */
            secretRotatedAt: string;
            /**
             * Format: date-time
             * @description Until when the previous secret signs as well; null if there is none.
             * @example 2026-11-20T10:00:00.000Z
             */
            previousSecretExpiresAt: string | null;
            /** @description Version of the record, for `If-Match`. */
            version: number;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed.
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description No attempt is made before this time, because a response asked for a pause; null if there is no pause.
             * @example 2026-11-20T10:00:00.000Z
             */
            pausedUntil: string | null;
            /** @description The response that asked for the pause with `Retry-After`: `http_429` or `http_503`. */
            pauseReason: ("http_429" | "http_503") | null;
            /** @description Entries of `eventTypes` and `subjects` that no event can match, because of each other or of the scopes of the key that created the endpoint. */
            warnings: {
                /** @description JSON Pointer to the entry: `/eventTypes/1`. */
                path: string;
                /** @description Why no event matches the entry. */
                message: string;
            }[];
            /** @description The `kid` of each Ed25519 key that signs for this endpoint alone, newest first; read at `/.well-known/webhook-public-keys/{id}`. */
            signingKeyIds: string[];
            /** @description Signs deliveries. Shown once: `whsec_` and base64 of 32 bytes. */
            secret: string;
        };
        CreatorChange: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description The pool of the token, whose account names the creator.
             * @example So11111111111111111111111111111111111111112
             */
            poolAddress: string;
            /**
             * @description The present creator.
             * @example So11111111111111111111111111111111111111112
             */
            creatorWallet: string;
            /**
             * @description The previous creator.
             * @example So11111111111111111111111111111111111111112
             */
            previousCreatorWallet: string;
            /**
             * @description The slot at which the pool was read.
             * @example 1000000
             */
            slot: string;
        };
        CreatorTransfer: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Pool whose creator changes.
             * @example So11111111111111111111111111111111111111112
             */
            poolAddress: string;
            /**
             * @description Creator now: the wallet of the key, which signs.
             * @example So11111111111111111111111111111111111111112
             */
            creatorWallet: string;
            /**
             * @description Creator once the transaction has landed.
             * @example So11111111111111111111111111111111111111112
             */
            newCreatorWallet: string;
            /**
             * @description Unclaimed fees of the creator on the curve, in lamports, which the new creator can claim; null for a pool against another token than SOL.
             * @example 1000000
             */
            claimableLamports: string | null;
            /**
             * @description The same in base units of the token.
             * @example 1000000
             */
            claimableTokenRaw: string;
            /**
             * @description Slot of the chain at which this was read.
             * @example 1000000
             */
            slot: string;
            /**
             * Format: uuid
             * @description The transaction intent to sign and submit.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            intentId: string;
            /** @description Address at which the intent can be read. */
            intentUrl: string;
            sending: components["schemas"]["Sending"];
            intent: components["schemas"]["TransactionIntent"];
        };
        FeeClaims: {
            /**
             * @description The pinned wallet of the key. It signs and gets the payments.
             * @example So11111111111111111111111111111111111111112
             */
            walletAddress: string;
            /**
             * @description SOL that all intents together pay, in lamports.
             * @example 1000000
             */
            claimedLamports: string;
            /**
             * @description The oldest of the slots at which these claims were read.
             * @example 1000000
             */
            slot: string;
            /** @description The transactions to sign and submit, as few as hold all claims. */
            intents: {
                /** @description The claims of the transaction. */
                claims: components["schemas"]["PreparedFeeClaim"][];
                /**
                 * @description SOL that these claims pay, in lamports.
                 * @example 1000000
                 */
                claimedLamports: string;
                /**
                 * @description Network fee, including the priority fee.
                 * @example 1000000
                 */
                networkFeeLamports: string;
                /**
                 * @description Rent of the token accounts that the transaction opens to pay tokens into. They stay open.
                 * @example 1000000
                 */
                rentLamports: string;
                sending: components["schemas"]["Sending"];
                intent: components["schemas"]["TransactionIntent"];
            }[];
            /** @description Claims that no intent includes, each with the reason. */
            leftOut: {
                claim: components["schemas"]["PreparedFeeClaim"];
                /**
                 * @description Why no intent includes the claim: the chain would refuse it, or its token calls a program at each transfer.
                 * @enum {string}
                 */
                reason: "simulation_failed" | "transfer_hook";
                /** @description The error of the simulation; null if the program gave no error number. */
                programError: {
                    /**
                     * @description The program that refused the claim.
                     * @example So11111111111111111111111111111111111111112
                     */
                    program: string;
                    /** @description Number of the program’s error. */
                    number: number;
                    /** @description Name of the error; null if it is unknown. */
                    name: string | null;
                } | null;
            }[];
            /** @description Claims that exceed the maximum number of intents of one request. Send another request with their `mints`. */
            remaining: components["schemas"]["PreparedFeeClaim"][];
            /** @description Tokens of which some parts could not be read. What those would pay is unknown. */
            unread: {
                /**
                 * @description Mint of the token.
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAddress: string;
                /** @description The parts that could not be read. */
                parts: ("curve" | "leftover" | "positions")[];
            }[];
            /**
             * @description The last token that was read: send it as `afterMint` to continue. Null if there are no more tokens.
             * @example So11111111111111111111111111111111111111112
             */
            nextMint: string | null;
        };
        FeeDistribution: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Wallet that was paid.
             * @example So11111111111111111111111111111111111111112
             */
            recipientWallet: string;
            /**
             * @description Recipient of the share: creator, platform or stakers.
             * @enum {string}
             */
            role: "creator" | "platform" | "stakers";
            /**
             * @description Lamports that were paid.
             * @example 1000000
             */
            amountLamports: string;
            /** @description Signature of the transaction that paid. */
            transactionSignature: string;
            /**
             * @description Slot of the chain at which this was read.
             * @example 1000000
             */
            slot: string;
            /**
             * Format: date-time
             * @description When it was paid.
             * @example 2026-11-20T10:00:00.000Z
             */
            distributedAt: string;
        };
        FeeState: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /** @description How fees are divided, in basis points. */
            feeBps: {
                /** @description Share of the creator, in basis points. */
                creator: number;
                /** @description Share of the platform, in basis points. */
                platform: number;
                /** @description Share of the stakers, in basis points. */
                stakers: number;
            };
            /**
             * @description Fees that the pools of the token have earned.
             * @example 1000000
             */
            accruedLamports: string;
            /**
             * @description Fees that were paid out.
             * @example 1000000
             */
            distributedLamports: string;
            /**
             * @description Amount that the wallet of the key can claim.
             * @example 1000000
             */
            claimableLamports: string;
            /**
             * @description Slot of the chain at which this was read.
             * @example 1000000
             */
            slot: string;
            /**
             * Format: date-time
             * @description When this was observed.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
        };
        FeesClaimed: {
            /**
             * Format: uuid
             * @description The intent whose transaction made the claims.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            intentId: string;
            /**
             * @description The wallet that was paid.
             * @example So11111111111111111111111111111111111111112
             */
            walletAddress: string;
            /** @description Signature of the transaction that landed. */
            transactionSignature: string;
            /**
             * @description SOL that the transaction paid, in lamports, as far as its payments were found.
             * @example 1000000
             */
            claimedLamports: string;
            /** @description The claims of the intent. */
            claims: {
                /**
                 * @description Kind of the claim: what is claimed, and which instruction pays it.
                 * @enum {string}
                 */
                kind: "creator_trading_fee" | "partner_trading_fee" | "creator_surplus" | "partner_surplus" | "creator_migration_fee" | "partner_migration_fee" | "leftover" | "position_fee";
                /**
                 * @description Mint of the token.
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAddress: string;
                /**
                 * @description The pool that pays: the bonding curve, or the AMM pool of the position.
                 * @example So11111111111111111111111111111111111111112
                 */
                poolAddress: string;
                /**
                 * @description The position; null for a claim on the curve.
                 * @example So11111111111111111111111111111111111111112
                 */
                positionAddress: string | null;
                /**
                 * @description The token that the pool trades against, mostly wrapped SOL.
                 * @example So11111111111111111111111111111111111111112
                 */
                quoteMint: string;
                /**
                 * @description What the transaction paid for the claim, in lamports; null for a claim that pays no SOL, and while its payment has not been found on chain.
                 * @example 1000000
                 */
                paidLamports: string | null;
            }[];
        };
        HolderStats: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /** @description Wallets that hold the token. */
            holderCount: number;
            /**
             * @description Source of the figure.
             * @enum {string}
             */
            provenance: "live_trade_index" | "trade_replay" | "onchain_snapshot";
            /**
             * @description Slot of the chain at which this was read.
             * @example 1000000
             */
            slot: string;
            /**
             * Format: date-time
             * @description When this was observed.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
        };
        Image: {
            /**
             * @description SHA-256 of the stored bytes, in hex digits.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * @description Value for `imageUrl` of `createLaunch`: `image:` and the hash.
             * @example image:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            imageUrl: string;
            /** @description Public address of the image. Its bytes never change. */
            url: string;
            /**
             * @description Media type of the stored bytes.
             * @enum {string}
             */
            contentType: "image/png" | "image/jpeg" | "image/webp";
            /** @description Width in pixels. */
            width: number;
            /** @description Height in pixels. */
            height: number;
            /** @description Size of the stored bytes. */
            byteLength: number;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
        };
        LandingReport: {
            /**
             * Format: date-time
             * @description Begin of the range.
             * @example 2026-11-20T10:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the range.
             * @example 2026-11-20T10:00:00.000Z
             */
            to: string;
            /**
             * @description Property by which intents are grouped.
             * @enum {string}
             */
            by: "route" | "level" | "hour" | "address";
            /** @description All intents of the range. */
            total: {
                /** @description Intents that were submitted and therefore sent. */
                sent: number;
                /** @description Sent intents that were confirmed. */
                landed: number;
                /** @description Intents that are on chain with an error, or were never sent because their stored bytes were unusable. */
                failed: number;
                /** @description Intents that never landed before their window closed. */
                expired: number;
                /** @description Intents that have not ended. */
                open: number;
                /** @description Landed intents that a fork dropped afterwards. */
                reverted: number;
                /** @description Slots from the first send to the block; null if the first slot of no transaction on chain is known. */
                slots: {
                    /** @description Half of the transactions took at most this number of slots. */
                    p50: number;
                    /** @description Nine of ten transactions took at most this number of slots. */
                    p90: number;
                    /** @description 99 of 100 transactions took at most this number of slots. */
                    p99: number;
                } | null;
                /** @description Milliseconds from the submission until the service saw the transaction on chain; null if none is on chain. */
                milliseconds: {
                    /** @description Half of the transactions took at most this number of milliseconds. */
                    p50: number;
                    /** @description Nine of ten transactions took at most this number of milliseconds. */
                    p90: number;
                    /** @description 99 of 100 transactions took at most this number of milliseconds. */
                    p99: number;
                } | null;
                /**
                 * @description Fees paid, priority fees included, as far as they are known.
                 * @example 1000000
                 */
                feesLamports: string;
                /**
                 * @description Tips paid to landing services, as far as they are known.
                 * @example 1000000
                 */
                tipsLamports: string;
                /** @description Transactions on chain whose fee was not read yet. */
                unknownFees: number;
            };
            /** @description The groups in the order of `key`. Hours without intents are included, other groups without intents are not. */
            groups: {
                /** @description The route, the level (`none` if there is none), the begin of the hour, or the name of the address. */
                key: string;
                /** @description With `by=address`, the figures of the intents that were sent to the address. */
                figures: {
                    /** @description Intents that were submitted and therefore sent. */
                    sent: number;
                    /** @description Sent intents that were confirmed. */
                    landed: number;
                    /** @description Intents that are on chain with an error, or were never sent because their stored bytes were unusable. */
                    failed: number;
                    /** @description Intents that never landed before their window closed. */
                    expired: number;
                    /** @description Intents that have not ended. */
                    open: number;
                    /** @description Landed intents that a fork dropped afterwards. */
                    reverted: number;
                    /** @description Slots from the first send to the block; null if the first slot of no transaction on chain is known. */
                    slots: {
                        /** @description Half of the transactions took at most this number of slots. */
                        p50: number;
                        /** @description Nine of ten transactions took at most this number of slots. */
                        p90: number;
                        /** @description 99 of 100 transactions took at most this number of slots. */
                        p99: number;
                    } | null;
                    /** @description Milliseconds from the submission until the service saw the transaction on chain; null if none is on chain. */
                    milliseconds: {
                        /** @description Half of the transactions took at most this number of milliseconds. */
                        p50: number;
                        /** @description Nine of ten transactions took at most this number of milliseconds. */
                        p90: number;
                        /** @description 99 of 100 transactions took at most this number of milliseconds. */
                        p99: number;
                    } | null;
                    /**
                     * @description Fees paid, priority fees included, as far as they are known.
                     * @example 1000000
                     */
                    feesLamports: string;
                    /**
                     * @description Tips paid to landing services, as far as they are known.
                     * @example 1000000
                     */
                    tipsLamports: string;
                    /** @description Transactions on chain whose fee was not read yet. */
                    unknownFees: number;
                };
                /** @description With `by=address`, the figures of the intents that were withheld from the address; null if there are none, and for other groups. */
                without: {
                    /** @description Intents that were submitted and therefore sent. */
                    sent: number;
                    /** @description Sent intents that were confirmed. */
                    landed: number;
                    /** @description Intents that are on chain with an error, or were never sent because their stored bytes were unusable. */
                    failed: number;
                    /** @description Intents that never landed before their window closed. */
                    expired: number;
                    /** @description Intents that have not ended. */
                    open: number;
                    /** @description Landed intents that a fork dropped afterwards. */
                    reverted: number;
                    /** @description Slots from the first send to the block; null if the first slot of no transaction on chain is known. */
                    slots: {
                        /** @description Half of the transactions took at most this number of slots. */
                        p50: number;
                        /** @description Nine of ten transactions took at most this number of slots. */
                        p90: number;
                        /** @description 99 of 100 transactions took at most this number of slots. */
                        p99: number;
                    } | null;
                    /** @description Milliseconds from the submission until the service saw the transaction on chain; null if none is on chain. */
                    milliseconds: {
                        /** @description Half of the transactions took at most this number of milliseconds. */
                        p50: number;
                        /** @description Nine of ten transactions took at most this number of milliseconds. */
                        p90: number;
                        /** @description 99 of 100 transactions took at most this number of milliseconds. */
                        p99: number;
                    } | null;
                    /**
                     * @description Fees paid, priority fees included, as far as they are known.
                     * @example 1000000
                     */
                    feesLamports: string;
                    /**
                     * @description Tips paid to landing services, as far as they are known.
                     * @example 1000000
                     */
                    tipsLamports: string;
                    /** @description Transactions on chain whose fee was not read yet. */
                    unknownFees: number;
                } | null;
            }[];
        };
        Launch: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Wallet that created the token.
             * @example So11111111111111111111111111111111111111112
             */
            creatorWallet: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "pending_launch_init" | "bonding" | "failed" | "expired";
            /**
             * @description Account of the pool; null until the chain shows it.
             * @example So11111111111111111111111111111111111111112
             */
            poolAddress: string | null;
            /** @description Name of the token. */
            name: string;
            /** @description Ticker of the token. */
            symbol: string;
            /** @description Description by the creator; null if there is none. */
            description: string | null;
            /** @description Address of the picture; null if there is none. */
            imageUrl: string | null;
            /** @description Links of the creator. */
            links: {
                /** @description Telegram address; null if there is none. */
                telegram: string | null;
                /** @description X (Twitter) address; null if there is none. */
                twitter: string | null;
                /** @description Website; null if there is none. */
                website: string | null;
            };
            /** @description Address of the metadata document of the mint. */
            metadataUrl: string;
            /** @description Name of the launch config. */
            config: string;
            /**
             * @description Config account of the bonding curve.
             * @example So11111111111111111111111111111111111111112
             */
            configAddress: string;
            /** @description The creator’s buy in the same transaction; null if there is none. */
            initialBuy: {
                /**
                 * @description Lamports to spend, including the fee.
                 * @example 1000000
                 */
                amountRaw: string;
                /** @description How far the price may move against the creator before the buy is refused, in basis points. */
                slippageBps: number;
                /**
                 * @description Base units that the creator is expected to get.
                 * @example 1000000
                 */
                amountOutRaw: string;
                /**
                 * @description Smallest number of base units that the program accepts.
                 * @example 1000000
                 */
                minimumOutRaw: string;
            } | null;
            /**
             * @description Tip of the transaction to a landing service, in addition to fees; 0 if none is configured.
             * @example 1000000
             */
            tipLamports: string;
            /**
             * Format: uuid
             * @description The transaction intent to sign and submit.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            intentId: string;
            /** @description Address at which the intent can be read. */
            intentUrl: string;
            /** @description Signature of the transaction on chain; null until it was sent. */
            transactionSignature: string | null;
            /** @description Why it failed; null if it did not fail. */
            error: {
                /** @description Stable identifier. Branch on it. */
                code: string;
                /** @description What happened, in a sentence. Its wording may change. */
                detail: string;
            } | null;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ended; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            completedAt: string | null;
        };
        LaunchConfig: {
            /**
             * @description Name for `config` of `createLaunch`.
             * @example standard
             */
            name: string;
            /**
             * @description Config account of the bonding curve.
             * @example So11111111111111111111111111111111111111112
             */
            address: string;
            /** @description Whether launches that name no config use this one. */
            isDefault: boolean;
            /**
             * @description Whether tokens can be launched with this config now.
             * @enum {string}
             */
            status: "available" | "unavailable";
            /** @description Why tokens cannot be launched with it: no node shows the account, the account is not a config of the curve, or the config is not quoted in SOL; null if it is available. */
            unavailableReason: ("chain_unavailable" | "not_a_config" | "not_in_sol") | null;
            /** @description The terms of the config; null if it is unavailable, or has an option that this release does not know. */
            terms: components["schemas"]["LaunchTerms"] | null;
            /** @description Network costs of a launch without an initial buy; null if the config is unavailable or no node reports the rent. */
            cost: components["schemas"]["LaunchCost"] | null;
        };
        LaunchCost: {
            /**
             * @description Rent of mint, metadata, pool and vaults. For Token-2022 it is computed for the longest name and symbol.
             * @example 1000000
             */
            rentLamports: string;
            /**
             * @description Fee of the token metadata program.
             * @example 1000000
             */
            metadataFeeLamports: string;
            /**
             * @description Fee for the signatures of creator and mint.
             * @example 1000000
             */
            signatureFeeLamports: string;
            /**
             * @description Fee of the operator for a new pool.
             * @example 1000000
             */
            poolCreationFeeLamports: string;
            /**
             * @description Total of these costs, without priority fee and tip.
             * @example 1000000
             */
            totalLamports: string;
        };
        LaunchQuote: {
            /**
             * @description Name of the launch config.
             * @example standard
             */
            config: string;
            /**
             * @description Config account of the bonding curve.
             * @example So11111111111111111111111111111111111111112
             */
            configAddress: string;
            /**
             * @description Lamports to spend, including the fee.
             * @example 100000000
             */
            amountRaw: string;
            /** @description How far the price may move against the creator before the buy is refused, in basis points. */
            slippageBps: number;
            /**
             * @description Base units that the creator gets.
             * @example 1000000
             */
            amountOutRaw: string;
            /**
             * @description Smallest number of base units that the program accepts.
             * @example 1000000
             */
            minimumOutRaw: string;
            /** @description Fee of the curve, included in the amounts. */
            fee: {
                /**
                 * @description Currency of the fee: raw units of SOL, or of the token.
                 * @enum {string}
                 */
                paidIn: "sol" | "token";
                /**
                 * @description The fee, in percent.
                 * @example 0.000000029295
                 */
                ratePercent: string;
                /**
                 * @description Total fee, in raw units.
                 * @example 1000000
                 */
                totalRaw: string;
                /**
                 * @description Share of the program.
                 * @example 1000000
                 */
                protocolRaw: string;
                /**
                 * @description Share of the operator.
                 * @example 1000000
                 */
                partnerRaw: string;
                /**
                 * @description Share of the creator, who can claim it.
                 * @example 1000000
                 */
                creatorRaw: string;
            };
            /**
             * @description Price of a whole token that the first buy pays, including fees of the pool.
             * @example 0.000000029295
             */
            averagePriceInSol: string;
            /**
             * @description Price of a whole token at the pool after the first buy.
             * @example 0.000000029295
             */
            priceAfterInSol: string;
            /**
             * @description That price times the supply.
             * @example 0.000000029295
             */
            marketCapAfterInSol: string;
            /**
             * @description Bought share of the supply, in percent.
             * @example 0.000000029295
             */
            supplyPercent: string;
            /** @description Whether the buy takes everything that the curve sells. */
            completesCurve: boolean;
            /** @description Network costs of this launch. */
            cost: {
                /**
                 * @description Rent of mint, metadata, pool and vaults. For Token-2022 it is computed for the longest name and symbol.
                 * @example 1000000
                 */
                rentLamports: string;
                /**
                 * @description Fee of the token metadata program.
                 * @example 1000000
                 */
                metadataFeeLamports: string;
                /**
                 * @description Fee for the signatures of creator and mint.
                 * @example 1000000
                 */
                signatureFeeLamports: string;
                /**
                 * @description Fee of the operator for a new pool.
                 * @example 1000000
                 */
                poolCreationFeeLamports: string;
                /**
                 * @description Rent of the creator’s account for the token.
                 * @example 1000000
                 */
                tokenAccountRentLamports: string;
                /**
                 * @description Total of these costs, without the buy, the priority fee and the tip.
                 * @example 1000000
                 */
                totalLamports: string;
                /**
                 * @description Rent of the account for wrapped SOL. It is returned in the same transaction.
                 * @example 1000000
                 */
                temporaryRentLamports: string;
            };
        };
        LaunchTerms: {
            /** @description The token that a launch creates. */
            token: {
                /**
                 * @description Token program of the mint.
                 * @enum {string}
                 */
                standard: "spl_token" | "token_2022";
                /** @description Decimals of the mint. */
                decimals: number;
                /**
                 * @description Supply at the launch.
                 * @example 0.000000029295
                 */
                totalSupply: string;
                /**
                 * @description Who may change the metadata of the mint.
                 * @enum {string}
                 */
                updateAuthority: "creator" | "partner" | "nobody";
                /**
                 * @description Who may mint more tokens. If anybody may, the supply is not final.
                 * @enum {string}
                 */
                mintAuthority: "creator" | "partner" | "nobody";
            };
            /**
             * @description Tokens that the curve sells until it is complete.
             * @example 0.000000029295
             */
            curveSupply: string;
            /**
             * @description Tokens that the migration puts into the AMM pool.
             * @example 0.000000029295
             */
            liquiditySupply: string;
            /**
             * @description Price of a whole token at the pool when it opens.
             * @example 0.000000029295
             */
            startingPriceInSol: string;
            /**
             * @description That price times `totalSupply`.
             * @example 0.000000029295
             */
            startingMarketCapInSol: string;
            /**
             * @description Price of a whole token at the pool when the curve is complete.
             * @example 0.000000029295
             */
            graduationPriceInSol: string;
            /**
             * @description That price times `totalSupply`.
             * @example 0.000000029295
             */
            graduationMarketCapInSol: string;
            /**
             * @description SOL that the curve holds when it is complete, without fees.
             * @example 0.000000029295
             */
            raiseInSol: string;
            /**
             * @description The largest initial buy, in lamports, including the fee.
             * @example 1000000
             */
            maximumInitialBuyRaw: string;
            /** @description Fee of trades on the curve. */
            tradingFee: {
                /**
                 * @description Fee of a trade when the pool opens, in percent.
                 * @example 0.000000029295
                 */
                startPercent: string;
                /**
                 * @description Fee after the last step, in percent.
                 * @example 0.000000029295
                 */
                endPercent: string;
                /**
                 * @description How the fee changes from start to end. `rate_limiter` adds a surcharge to large buys for a time.
                 * @enum {string}
                 */
                schedule: "constant" | "linear" | "exponential" | "rate_limiter";
                /**
                 * @description Unit of the lengths in the schedule.
                 * @enum {string}
                 */
                unit: "seconds" | "slots";
                /** @description Number of steps; 0 if the fee does not change. */
                steps: number;
                /**
                 * @description Length of one step.
                 * @example 1000000
                 */
                stepLength: string;
                /**
                 * @description Time from the opening of the pool to the last step.
                 * @example 1000000
                 */
                duration: string;
                /** @description The surcharge on large buys while `duration` lasts; null if the schedule is another one. */
                rateLimiter: {
                    /**
                     * @description Buys up to this amount pay `startPercent`.
                     * @example 0.000000029295
                     */
                    referenceInSol: string;
                    /**
                     * @description Added to the fee for each further amount of that size, in percent.
                     * @example 0.000000029295
                     */
                    incrementPercent: string;
                    /**
                     * @description The highest fee, in percent.
                     * @example 0.000000029295
                     */
                    maximumPercent: string;
                } | null;
                /**
                 * @description Maximum that fast price moves add to the fee, in percent; null if they add nothing.
                 * @example 0.000000029295
                 */
                dynamicMaximumPercent: string | null;
                /**
                 * @description Currency of the fee: always SOL, or whatever the trade pays out.
                 * @enum {string}
                 */
                paidIn: "sol" | "output";
                /** @description Whether the initial buy of a launch pays only `endPercent`. */
                firstBuyPaysEnd: boolean;
                /** @description How the fee on the curve is divided. */
                shares: {
                    /**
                     * @description Share of the program, in percent of the fee.
                     * @example 0.000000029295
                     */
                    protocolPercent: string;
                    /**
                     * @description Share of the creator, in percent of the fee.
                     * @example 0.000000029295
                     */
                    creatorPercent: string;
                    /**
                     * @description Share of the operator, in percent of the fee.
                     * @example 0.000000029295
                     */
                    partnerPercent: string;
                };
            };
            /** @description Tokens that the creator gets over time after the migration; null if there are none. */
            vesting: {
                /**
                 * @description All of them.
                 * @example 0.000000029295
                 */
                total: string;
                /**
                 * @description Number of tokens that the cliff releases.
                 * @example 0.000000029295
                 */
                cliff: string;
                /**
                 * @description Time from the migration to the cliff.
                 * @example 1000000
                 */
                cliffSeconds: string;
                /**
                 * @description Number of tokens that each further period releases.
                 * @example 0.000000029295
                 */
                perPeriod: string;
                /**
                 * @description Number of these periods.
                 * @example 1000000
                 */
                periods: string;
                /**
                 * @description Length of a period.
                 * @example 1000000
                 */
                periodSeconds: string;
            } | null;
            /** @description What happens when the curve is complete. */
            migration: {
                /**
                 * @description The AMM that the pool migrates to.
                 * @enum {string}
                 */
                venue: "damm_v1" | "damm_v2";
                /**
                 * @description Whether the AMM pool has one of the fixed fees, or a fee that the config sets.
                 * @enum {string}
                 */
                feeOption: "fixed" | "custom";
                /**
                 * @description Fee of a trade in the AMM pool, in percent. If the fee follows a schedule, this is its start.
                 * @example 0.000000029295
                 */
                feePercent: string;
                /** @description Whether fast price moves add to that fee; null for a fixed fee, whose terms the AMM sets. */
                hasDynamicFee: boolean | null;
                /** @description Whether that fee falls as the market cap rises; null for a fixed fee. */
                feeFallsWithMarketCap: boolean | null;
                /** @description Share of the raised SOL that the migration takes, in percent. */
                migrationFeePercent: number;
                /** @description The creator’s share of that amount, in percent. */
                creatorMigrationFeePercent: number;
            };
            /** @description Who owns the liquidity of the AMM pool, and how it is locked. */
            liquidity: {
                /** @description Part of all liquidity that belongs to the creator and is locked for ever, in percent. */
                creatorLockedPercent: number;
                /** @description Part of all liquidity that belongs to the creator and is free at once, in percent. */
                creatorUnlockedPercent: number;
                /** @description The creator’s liquidity that is released over time; null if there is none. */
                creatorVesting: {
                    /** @description Share of the liquidity, in percent. */
                    percent: number;
                    /** @description Time from the migration to the first release. */
                    cliffSeconds: number;
                    /** @description Number of further releases. */
                    periods: number;
                    /** @description Time between releases. */
                    periodSeconds: number;
                    /** @description Part that each release frees, in basis points. */
                    bpsPerPeriod: number;
                } | null;
                /** @description Part of all liquidity that belongs to the operator and is locked for ever, in percent. */
                partnerLockedPercent: number;
                /** @description Part of all liquidity that belongs to the operator and is free at once, in percent. */
                partnerUnlockedPercent: number;
                /** @description The operator’s liquidity that is released over time; null if there is none. */
                partnerVesting: {
                    /** @description Share of the liquidity, in percent. */
                    percent: number;
                    /** @description Time from the migration to the first release. */
                    cliffSeconds: number;
                    /** @description Number of further releases. */
                    periods: number;
                    /** @description Time between releases. */
                    periodSeconds: number;
                    /** @description Part that each release frees, in basis points. */
                    bpsPerPeriod: number;
                } | null;
            };
        };
        LaunchedToken: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Wallet that the pool names as its creator now. Until there is a pool, the wallet that launches the token.
             * @example So11111111111111111111111111111111111111112
             */
            creatorWallet: string;
            /** @description Name of the token. */
            name: string;
            /** @description Ticker of the token. */
            symbol: string;
            /** @description Description by the creator; null if there is none. */
            description: string | null;
            /** @description Address of the picture; null if there is none. */
            imageUrl: string | null;
            /** @description Decimal places of the mint. */
            decimals: number;
            /**
             * @description Supply in whole tokens.
             * @example 0.000000029295
             */
            totalSupply: string;
            /**
             * @description Market price of a whole token: the price of the pool after its last trade or, if the source reports no price of the pool, the price that this trade paid; null while unknown. A market snapshot and a position name it `priceInSol`.
             * @example 0.000000029295
             */
            currentPriceInSol: string | null;
            /**
             * @description Price times total supply; null if there is no price.
             * @example 0.000000029295
             */
            marketCapInSol: string | null;
            /**
             * @description SOL that the curve has collected.
             * @example 0.000000029295
             */
            solCollectedInSol: string;
            /**
             * @description How the token was launched.
             * @enum {string}
             */
            launchType: "dbc" | "pre_raise";
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "pending" | "pending_launch_init" | "pending_escrows" | "pending_finalization" | "bonding" | "pre_raise_pending" | "pre_raising" | "pre_raise_settling" | "pre_raise_refunding" | "pre_raise_failed" | "graduating_migration_pending" | "graduated" | "graduation_failed" | "expired" | "cancelled" | "failed";
            /**
             * Format: date-time
             * @description When the pool was created; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            launchedAt: string | null;
            /**
             * Format: date-time
             * @description When the curve migrated to the AMM; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            graduatedAt: string | null;
            /** @description Links of the creator. */
            links: {
                /** @description Telegram address; null if there is none. */
                telegram: string | null;
                /** @description X (Twitter) address; null if there is none. */
                twitter: string | null;
                /** @description Website; null if there is none. */
                website: string | null;
            };
            /** @description State of the pool when the token was announced; null if no node showed it. */
            pool?: {
                /**
                 * @description Account of the pool.
                 * @example So11111111111111111111111111111111111111112
                 */
                poolAddress: string;
                /**
                 * @description Program of the pool.
                 * @example So11111111111111111111111111111111111111112
                 */
                programAddress: string;
                /**
                 * @description Mint of the quote token.
                 * @example So11111111111111111111111111111111111111112
                 */
                quoteMint: string;
                /**
                 * @description Raw units of the token in the pool.
                 * @example 1000000
                 */
                baseReserveRaw: string;
                /**
                 * @description Raw units of the quote mint in the pool.
                 * @example 1000000
                 */
                quoteReserveRaw: string;
                /**
                 * @description Price of a whole token at the pool of the event; null if the source does not report it.
                 * @example 0.000000029295
                 */
                spotPriceInSol: string | null;
                /**
                 * @description Slot of the chain at which this was read.
                 * @example 1000000
                 */
                slot: string;
            } | null;
        };
        ListedFeeDistribution: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Wallet that was paid.
             * @example So11111111111111111111111111111111111111112
             */
            recipientWallet: string;
            /**
             * @description Recipient of the share: creator, platform or stakers.
             * @enum {string}
             */
            role: "creator" | "platform" | "stakers";
            /**
             * @description Lamports that were paid.
             * @example 1000000
             */
            amountLamports: string;
            /** @description Signature of the transaction that paid. */
            transactionSignature: string;
            /**
             * @description Slot of the chain at which this was read.
             * @example 1000000
             */
            slot: string;
            /**
             * Format: date-time
             * @description When it was paid.
             * @example 2026-11-20T10:00:00.000Z
             */
            distributedAt: string;
            /**
             * Format: uuid
             * @description The intent of `createFeeClaims` whose transaction paid it; null for any other payment, and for intents of other accounts.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            intentId: string | null;
        };
        ListedToken: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Wallet that the pool names as its creator now. Until there is a pool, the wallet that launches the token.
             * @example So11111111111111111111111111111111111111112
             */
            creatorWallet: string;
            /** @description Name of the token. */
            name: string;
            /** @description Ticker of the token. */
            symbol: string;
            /** @description Description by the creator; null if there is none. */
            description: string | null;
            /** @description Address of the picture; null if there is none. */
            imageUrl: string | null;
            /** @description Decimal places of the mint. */
            decimals: number;
            /**
             * @description Supply in whole tokens.
             * @example 0.000000029295
             */
            totalSupply: string;
            /**
             * @description Market price of a whole token: the price of the pool after its last trade or, if the source reports no price of the pool, the price that this trade paid; null while unknown. A market snapshot and a position name it `priceInSol`.
             * @example 0.000000029295
             */
            currentPriceInSol: string | null;
            /**
             * @description Price times total supply; null if there is no price.
             * @example 0.000000029295
             */
            marketCapInSol: string | null;
            /**
             * @description SOL that the curve has collected.
             * @example 0.000000029295
             */
            solCollectedInSol: string;
            /**
             * @description How the token was launched.
             * @enum {string}
             */
            launchType: "dbc" | "pre_raise";
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "pending" | "pending_launch_init" | "pending_escrows" | "pending_finalization" | "bonding" | "pre_raise_pending" | "pre_raising" | "pre_raise_settling" | "pre_raise_refunding" | "pre_raise_failed" | "graduating_migration_pending" | "graduated" | "graduation_failed" | "expired" | "cancelled" | "failed";
            /**
             * Format: date-time
             * @description When the pool was created; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            launchedAt: string | null;
            /**
             * Format: date-time
             * @description When the curve migrated to the AMM; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            graduatedAt: string | null;
            /** @description Links of the creator. */
            links: {
                /** @description Telegram address; null if there is none. */
                telegram: string | null;
                /** @description X (Twitter) address; null if there is none. */
                twitter: string | null;
                /** @description Website; null if there is none. */
                website: string | null;
            };
            /** @description Values by which lists are sorted, all of the same moment; null during the first second of a token. */
            ranking: components["schemas"]["TokenRanking"] | null;
        };
        MarketOverview: {
            /**
             * Format: date-time
             * @description When this was observed.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            /**
             * Format: date-time
             * @description When the totals were computed.
             * @example 2026-11-20T10:00:00.000Z
             */
            computedAt: string;
            /** @description Totals by window. */
            windows: {
                "5m": components["schemas"]["OverviewWindow"];
                "1h": components["schemas"]["OverviewWindow"];
                "6h": components["schemas"]["OverviewWindow"];
                "24h": components["schemas"]["OverviewWindow"];
            };
            /** @description Visible tokens. */
            tokens: {
                /** @description All of them. */
                total: number;
                /** @description Number of tokens by status, as `listTokens` lists them. */
                byStatus: {
                    /** @description Tokens that are `pending`. */
                    pending: number;
                    /** @description Tokens that are `pending_launch_init`. */
                    pending_launch_init: number;
                    /** @description Tokens that are `pending_escrows`. */
                    pending_escrows: number;
                    /** @description Tokens that are `pending_finalization`. */
                    pending_finalization: number;
                    /** @description Tokens that are `bonding`. */
                    bonding: number;
                    /** @description Tokens that are `pre_raise_pending`. */
                    pre_raise_pending: number;
                    /** @description Tokens that are `pre_raising`. */
                    pre_raising: number;
                    /** @description Tokens that are `pre_raise_settling`. */
                    pre_raise_settling: number;
                    /** @description Tokens that are `pre_raise_refunding`. */
                    pre_raise_refunding: number;
                    /** @description Tokens that are `pre_raise_failed`. */
                    pre_raise_failed: number;
                    /** @description Tokens that are `graduating_migration_pending`. */
                    graduating_migration_pending: number;
                    /** @description Tokens that are `graduated`. */
                    graduated: number;
                    /** @description Tokens that are `graduation_failed`. */
                    graduation_failed: number;
                    /** @description Tokens that are `expired`. */
                    expired: number;
                    /** @description Tokens that are `cancelled`. */
                    cancelled: number;
                    /** @description Tokens that are `failed`. */
                    failed: number;
                };
            };
        };
        MarketSnapshot: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * Format: date-time
             * @description When this was observed.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            /**
             * @description Market price of a whole token, as `currentPriceInSol` of the token; null while unknown.
             * @example 0.000000029295
             */
            priceInSol: string | null;
            /**
             * @description Price times total supply; null if there is no price.
             * @example 0.000000029295
             */
            marketCapInSol: string | null;
            /**
             * @description SOL in the pool; null while unknown.
             * @example 0.000000029295
             */
            liquidityInSol: string | null;
            /**
             * @description Supply in whole tokens.
             * @example 0.000000029295
             */
            totalSupply: string;
            /** @description Wallets that hold the token; null while unknown. */
            holderCount: number | null;
            /**
             * @description Source of the figure.
             * @enum {string}
             */
            provenance: "service-indexer";
        };
        Operation: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description Purpose of the operation.
             * @example delivery_replay
             */
            kind: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description Progress of the work; absent until some is reported. */
            progress?: {
                /** @description Number of units that are done. */
                completed: number;
                /** @description Number of units of the whole work. */
                total: number;
                /** @description Name of the unit. */
                unit?: string;
            };
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it began; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description When it ended; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            completedAt: string | null;
            /** @description Address at which the result can be downloaded; null while there is none. When the address has expired, read the operation again. */
            resultUrl: string | null;
            /** @description Why it failed; null if it did not fail. */
            error: components["schemas"]["Problem"] | null;
        };
        /** @description A swap that is signed with a durable nonce and waits for a price. */
        Order: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "unsigned" | "open" | "triggered" | "landed" | "failed" | "cancelled" | "expired" | "voided";
            /**
             * @description Address of the wallet.
             * @example So11111111111111111111111111111111111111112
             */
            walletAddress: string;
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Whether the token is bought or sold.
             * @enum {string}
             */
            side: "buy" | "sell";
            /**
             * @description Amount that the wallet pays, in raw units: lamports for a buy.
             * @example 1000000
             */
            amountRaw: string;
            /**
             * @description Minimum amount that the wallet gets, in raw units. The program enforces it.
             * @example 1000000
             */
            limitRaw: string;
            /** @description Slippage from which `limitRaw` was computed, in basis points; null if the request had a `limitRaw`. */
            slippageBps: number | null;
            /** @description The price at which the order is sent. */
            trigger: {
                /**
                 * @description The price of a whole token that you set. Trades are compared with it by `of`: with `spot` their `spotPriceInSol`, with `trade` their `pricePerTokenInSol`.
                 * @example 0.000000029295
                 */
                price: string;
                /**
                 * @description Whether it triggers at the price and above, or at the price and below.
                 * @enum {string}
                 */
                when: "at_or_above" | "at_or_below";
                /**
                 * @description Which price of a trade is compared: the price of the pool after the trade, or the price that the trade paid, including fees.
                 * @enum {string}
                 */
                of: "trade" | "spot";
            };
            /**
             * Format: uuid
             * @description The order slot whose nonce the order is signed with.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            slotId: string;
            /** @description Orders of one slot with this name exclude each other; null for an order that has its slot alone. */
            oco: string | null;
            /**
             * @description Addresses to which it is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
             * @enum {string}
             */
            route: "fast" | "protected";
            /** @description Level that set its priority fee; null if no level did. */
            priorityLevel: ("min" | "low" | "medium" | "high" | "veryHigh") | null;
            /**
             * @description Tip to a landing service, in lamports; 0 if there is none.
             * @example 1000000
             */
            tipLamports: string;
            /** @description Its transactions, of which at most one lands. */
            transactions: {
                /**
                 * Format: uuid
                 * @description Id of the transaction. When it is sent, its intent has the same id.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /**
                 * @description Where it trades: on the curve, or in the pool to which the token migrates.
                 * @enum {string}
                 */
                venue: "curve" | "amm";
                /** @description Whether its signature was accepted. */
                signed: boolean;
            }[];
            /** @description The trade that triggered the order; null until then, and again if the trade was reverted before the order was sent. */
            triggeredBy: {
                /**
                 * Format: uuid
                 * @description The first trade that crossed the price.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                tradeId: string;
                /**
                 * @description Slot of the trade.
                 * @example 1000000
                 */
                slot: string;
                /**
                 * @description The price of the trade that was compared with the trigger: its `spotPriceInSol` or its `pricePerTokenInSol`.
                 * @example 0.000000029295
                 */
                price: string;
                /**
                 * Format: date-time
                 * @description When the service stored the trade.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                at: string;
            } | null;
            /** @description How often its simulation was refused before it was sent. */
            attempts: number;
            /** @description Why the chain refused it at the last refused simulation; null if it was never refused. */
            refusal: {
                /**
                 * @description Reason: too little balance, an error of a program, or something else.
                 * @enum {string}
                 */
                reason: "insufficient_funds" | "program_error" | "refused";
                /** @description The error of the program; null if there is none. */
                programError: {
                    /**
                     * @description Address of the program.
                     * @example So11111111111111111111111111111111111111112
                     */
                    program: string;
                    /** @description Number of the error. */
                    number: number;
                    /** @description Name of the error; null if it is unknown. */
                    name: string | null;
                } | null;
            } | null;
            /** @description Why it failed, or ended without landing; null otherwise. */
            reason: ("would_fail" | "transaction_failed" | "transaction_lost" | "requested" | "other_landed" | "not_signed" | "not_triggered" | "not_sent" | "withdrawn" | "nonce_spent" | "migrated" | "slot_closed") | null;
            /**
             * Format: uuid
             * @description The transaction intent that sends it; null until it is sent.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            intentId: string | null;
            /** @description Signature of the transaction on chain; null until it was sent. */
            transactionSignature: string | null;
            /** @description What its transaction did in its block; null until that is known. */
            landed: {
                /**
                 * @description Slot of the block.
                 * @example 1000000
                 */
                slot: string;
                /**
                 * Format: date-time
                 * @description Time of the block; null if the node has none.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                blockTime: string | null;
                /** @description Position among the transactions of the block, from 0; null if the node does not report it. */
                indexInBlock: number | null;
                /** @description Whether the chain executed it without an error. */
                succeeded: boolean;
                /**
                 * @description Fee of the transaction, including the priority fee.
                 * @example 1000000
                 */
                feeLamports: string;
                /**
                 * @description Compute units used; null if the node does not report them.
                 * @example 1000000
                 */
                computeUnits: string | null;
                /**
                 * @description Tip that it paid to a landing service, in addition to the fee; null if the transaction is of no swap or launch.
                 * @example 1000000
                 */
                tipLamports: string | null;
                /** @description Changes of the wallet that signed. */
                changes: {
                    /**
                     * @description Change of its lamports, including fee and tip.
                     * @example -1000000
                     */
                    lamports: string;
                    /** @description Token balances of the wallet that changed. */
                    tokens: {
                        /**
                         * @description Mint of the token.
                         * @example So11111111111111111111111111111111111111112
                         */
                        mintAddress: string;
                        /**
                         * @description Change of the balance, in raw units.
                         * @example -1000000
                         */
                        changeRaw: string;
                    }[];
                };
                /**
                 * @description Amount that the wallet paid in a swap, in raw units, without fee, tip and rent; null if the transaction is no swap, or failed.
                 * @example 1000000
                 */
                inputRaw: string | null;
                /**
                 * @description Amount that the wallet received in a swap, in raw units; null if the transaction is no swap, or failed.
                 * @example 1000000
                 */
                outputRaw: string | null;
                /**
                 * @description Price of a whole token that this swap paid (the fill), including the fees of the pool and the platform; null if there is no fill. It is not the market price, which other records name `priceInSol` too.
                 * @example 0.000000029295
                 */
                priceInSol: string | null;
                /** @description How much better (positive) or worse (negative) the swap was than quoted, in basis points of the quoted amount; null if the transaction is no swap. */
                quoteDifferenceBps: number | null;
            } | null;
            /**
             * Format: uuid
             * @description The newest transaction intent that makes the signatures of the order worthless; null if there is none.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            advanceIntentId: string | null;
            /** @description Version of the record, for `If-Match`. */
            version: number;
            /**
             * Format: date-time
             * @description When the order expires, unless it is sent before.
             * @example 2026-11-20T10:00:00.000Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was signed; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            openedAt: string | null;
            /**
             * Format: date-time
             * @description When it ended; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            completedAt: string | null;
        };
        /** @description A nonce account of a wallet. Orders are signed with its nonce. */
        OrderSlot: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description The nonce account.
             * @example So11111111111111111111111111111111111111112
             */
            nonceAddress: string;
            /**
             * @description The wallet that pays the rent of the account, may advance its nonce, and gets the rent back.
             * @example So11111111111111111111111111111111111111112
             */
            walletAddress: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "pending" | "ready" | "closed" | "failed" | "expired";
            /** @description The nonce at `readSlot`, in base58; it may have advanced since. Null until the account has one. */
            nonce: string | null;
            /**
             * @description Slot of the chain at which the nonce was read; null until then.
             * @example 1000000
             */
            readSlot: string | null;
            /**
             * Format: uuid
             * @description The transaction intent that creates the account; null for an account that existed before.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            intentId: string | null;
            /**
             * Format: uuid
             * @description The newest transaction intent that returns the rent; null if there is none.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            closingIntentId: string | null;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ended; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            completedAt: string | null;
        };
        OrderSlotClosure: {
            slot: components["schemas"]["OrderSlot"];
            sending: components["schemas"]["Sending"];
            intent: components["schemas"]["TransactionIntent"];
        };
        /** @description Totals of the window. */
        OverviewWindow: {
            /**
             * Format: date-time
             * @description Start of the window, a whole minute, included.
             * @example 2026-11-20T10:00:00.000Z
             */
            from: string;
            /** @description Trades of all tokens. */
            tradeCount: number;
            /** @description Number of buys. */
            buyCount: number;
            /** @description Number of sells. */
            sellCount: number;
            /**
             * @description SOL traded.
             * @example 0.000000029295
             */
            volumeInSol: string;
            /** @description Number of tokens that were traded. */
            tradedTokenCount: number;
            /** @description Number of distinct wallets that traded. */
            traderCount: number;
            /** @description Number of tokens that graduated. */
            graduationCount: number;
        };
        PlatformFeeAccount: {
            /**
             * @description Address that gets the platform fees of the account’s swaps; null if none is registered.
             * @example So11111111111111111111111111111111111111112
             */
            address: string | null;
            /**
             * Format: date-time
             * @description When an operator registered this address; null if there is none.
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string | null;
            /**
             * @description Maximum `platformFeeBps` of a swap.
             * @example 500
             */
            maxPlatformFeeBps: number;
        };
        Position: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /** @description Name of the token. */
            name: string;
            /** @description Ticker of the token. */
            symbol: string;
            /** @description Purchases. */
            buyCount: number;
            /** @description Sales. */
            sellCount: number;
            /**
             * @description Whole tokens bought.
             * @example 0.000000029295
             */
            boughtInToken: string;
            /**
             * @description SOL paid for them, fees included.
             * @example 0.000000029295
             */
            boughtInSol: string;
            /**
             * @description Whole tokens sold.
             * @example 0.000000029295
             */
            soldInToken: string;
            /**
             * @description SOL received for them, fees deducted.
             * @example 0.000000029295
             */
            soldInSol: string;
            /**
             * @description Whole tokens that were bought and not sold.
             * @example 0.000000029295
             */
            heldInToken: string;
            /**
             * @description Average cost of those tokens, in total.
             * @example 0.000000029295
             */
            costInSol: string;
            /**
             * @description Average cost of one whole token of those, cut off after 18 fractional digits; null if there are none.
             * @example 0.000000029295
             */
            averageCostInSol: string | null;
            /**
             * @description Average cost of the sold tokens, in total.
             * @example 0.000000029295
             */
            soldCostInSol: string;
            /**
             * @description What was received for bought tokens, less their cost; negative for a loss.
             * @example -0.25
             */
            realisedInSol: string;
            /**
             * @description Whole tokens that were sold without having been bought. They have no cost and count in no result.
             * @example 0.000000029295
             */
            uncoveredInToken: string;
            /**
             * @description SOL received for those tokens.
             * @example 0.000000029295
             */
            uncoveredInSol: string;
            /**
             * Format: date-time
             * @description Block time of the first trade.
             * @example 2026-11-20T10:00:00.000Z
             */
            firstTradeAt: string;
            /**
             * Format: date-time
             * @description Block time of the last trade.
             * @example 2026-11-20T10:00:00.000Z
             */
            lastTradeAt: string;
            /**
             * Format: date-time
             * @description Block time of the last purchase; null if there is none.
             * @example 2026-11-20T10:00:00.000Z
             */
            lastBuyAt: string | null;
            /**
             * Format: date-time
             * @description Block time of the last sale; null if there is none.
             * @example 2026-11-20T10:00:00.000Z
             */
            lastSellAt: string | null;
            /**
             * @description Market price of a whole token, as `currentPriceInSol` of the token; null while unknown.
             * @example 0.000000029295
             */
            priceInSol: string | null;
            /**
             * @description Value of `heldInToken` at that price, less `costInSol`, cut off after nine fractional digits (one lamport); null if there is no price.
             * @example -0.25
             */
            unrealisedInSol: string | null;
            /**
             * @description Whole tokens in the wallet, as the service counts holders; null if it does not keep the balances of the token.
             * @example 0.000000029295
             */
            balanceInToken: string | null;
            /**
             * @description Minimum number of whole tokens that arrived other than by trades; null if the balance is unknown.
             * @example 0.000000029295
             */
            receivedInToken: string | null;
            /**
             * @description Minimum number of whole tokens that left other than by trades; null if the balance is unknown.
             * @example 0.000000029295
             */
            sentInToken: string | null;
            /** @description False while trades of the wallet are being counted again. The figures may then be incomplete. */
            complete: boolean;
            /**
             * Format: date-time
             * @description All trades of the token before this time are counted.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
        };
        Prediction: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * Format: uuid
             * @description The prediction round.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            roundId: string;
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Address of the wallet.
             * @example So11111111111111111111111111111111111111112
             */
            walletAddress: string;
            /**
             * @description Predicted price of a whole token.
             * @example 0.000000029295
             */
            predictedPriceInSol: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "accepted" | "settled" | "voided";
            /**
             * @description Slot of the balance.
             * @example 1000000
             */
            evaluationSlot: string;
            /**
             * @description Finalized balance of the wallet, base units.
             * @example 1000000
             */
            balanceRaw: string;
            /**
             * Format: date-time
             * @description When the prediction was submitted.
             * @example 2026-11-20T10:00:00.000Z
             */
            submittedAt: string;
            /** @description Rank; the best is 1; null before settlement. */
            rank: number | null;
            /**
             * @description Distance from the settlement price, in parts per million; null before settlement.
             * @example 1000000
             */
            distancePpm: string | null;
            /**
             * @description Lamports that the prediction won; null if there is no payout.
             * @example 1000000
             */
            payoutLamports: string | null;
        };
        PredictionEligibility: {
            /**
             * Format: uuid
             * @description The prediction round.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            roundId: string;
            /**
             * @description Address of the wallet.
             * @example So11111111111111111111111111111111111111112
             */
            walletAddress: string;
            /** @description Whether the wallet may predict now. */
            eligible: boolean;
            /** @description Requirements that the wallet does not meet, in the order of the checks. */
            reasons: ("username_required" | "wallet_not_verified" | "insufficient_balance" | "round_not_open" | "token_not_enabled")[];
            /**
             * @description State of the round.
             * @enum {string}
             */
            roundStatus: "scheduled" | "open" | "locked" | "settling" | "settled" | "voided";
            /**
             * @description Finalized balance of the wallet, base units.
             * @example 1000000
             */
            balanceRaw: string;
            /**
             * @description Base units that a wallet must hold.
             * @example 1000000
             */
            minimumBalanceRaw: string;
            /**
             * @description Slot of the balance.
             * @example 1000000
             */
            evaluationSlot: string;
            /**
             * Format: date-time
             * @description When it was evaluated.
             * @example 2026-11-20T10:00:00.000Z
             */
            evaluatedAt: string;
            /**
             * Format: date-time
             * @description From this time on no prediction is accepted.
             * @example 2026-11-20T10:00:00.000Z
             */
            locksAt: string;
        };
        PredictionRound: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "scheduled" | "open" | "locked" | "settling" | "settled" | "voided";
            /**
             * @description Base units that a wallet must hold.
             * @example 1000000
             */
            minimumBalanceRaw: string;
            /**
             * @description Lamports that are divided among the best predictions.
             * @example 1000000
             */
            prizePoolLamports: string;
            /** @description Whether the wallet must sign an intent for each prediction that an account submits. */
            requiresDelegatedIntent: boolean;
            /**
             * Format: date-time
             * @description When the round begins to accept predictions.
             * @example 2026-11-20T10:00:00.000Z
             */
            opensAt: string;
            /**
             * Format: date-time
             * @description From this time on no prediction is accepted.
             * @example 2026-11-20T10:00:00.000Z
             */
            locksAt: string;
            /**
             * Format: date-time
             * @description The last trade until this time sets the price.
             * @example 2026-11-20T10:00:00.000Z
             */
            settlesAt: string;
            /**
             * Format: date-time
             * @description When the round was locked; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            lockedAt: string | null;
            /**
             * Format: date-time
             * @description When the round was settled; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            settledAt: string | null;
            /**
             * @description The price that decides the round; null before settlement.
             * @example 0.000000029295
             */
            settlementPriceInSol: string | null;
            /** @description Why the round was voided; null otherwise. */
            voidReason: ("cancelled" | "no_price" | "source_not_proven") | null;
            /** @description Wallets that take part. */
            participantCount: number;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed.
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
        };
        PredictionStandings: {
            /** @description The entries of this page. */
            data: {
                /**
                 * Format: uuid
                 * @description Identifies the record.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /** @description Rank; the best is 1. */
                rank: number;
                /**
                 * @description Address of the wallet.
                 * @example So11111111111111111111111111111111111111112
                 */
                walletAddress: string;
                /** @description Name of the owner of the wallet. */
                username: string;
                /**
                 * @description Predicted price of a whole token.
                 * @example 0.000000029295
                 */
                predictedPriceInSol: string;
                /**
                 * @description Distance from the settlement price, in parts per million.
                 * @example 1000000
                 */
                distancePpm: string;
                /**
                 * Format: date-time
                 * @description When the prediction was submitted.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string;
                /**
                 * @description Lamports that the prediction won; absent when it won none.
                 * @example 1000000
                 */
                payoutLamports?: string;
            }[];
            /** @description Position of this page in the list. */
            page: {
                /** @description Whether another page follows. */
                hasMore: boolean;
                /** @description `cursor` of the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
        /** @description A claim and the amounts that it pays at present. */
        PreparedFeeClaim: {
            /**
             * @description Kind of the claim: what is claimed, and which instruction pays it.
             * @enum {string}
             */
            kind: "creator_trading_fee" | "partner_trading_fee" | "creator_surplus" | "partner_surplus" | "creator_migration_fee" | "partner_migration_fee" | "leftover" | "position_fee";
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description The pool that pays: the bonding curve, or the AMM pool of the position.
             * @example So11111111111111111111111111111111111111112
             */
            poolAddress: string;
            /**
             * @description The position; null for a claim on the curve.
             * @example So11111111111111111111111111111111111111112
             */
            positionAddress: string | null;
            /**
             * @description The token that the pool trades against, mostly wrapped SOL.
             * @example So11111111111111111111111111111111111111112
             */
            quoteMint: string;
            /**
             * @description Amount that it pays in `quoteMint`, in raw units: lamports for wrapped SOL.
             * @example 1000000
             */
            quoteRaw: string;
            /**
             * @description Amount that it pays in the token, in raw units.
             * @example 1000000
             */
            baseRaw: string;
        };
        PreparedLaunch: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Wallet that created the token.
             * @example So11111111111111111111111111111111111111112
             */
            creatorWallet: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "pending_launch_init" | "bonding" | "failed" | "expired";
            /**
             * @description Account of the pool; null until the chain shows it.
             * @example So11111111111111111111111111111111111111112
             */
            poolAddress: string | null;
            /** @description Name of the token. */
            name: string;
            /** @description Ticker of the token. */
            symbol: string;
            /** @description Description by the creator; null if there is none. */
            description: string | null;
            /** @description Address of the picture; null if there is none. */
            imageUrl: string | null;
            /** @description Links of the creator. */
            links: {
                /** @description Telegram address; null if there is none. */
                telegram: string | null;
                /** @description X (Twitter) address; null if there is none. */
                twitter: string | null;
                /** @description Website; null if there is none. */
                website: string | null;
            };
            /** @description Address of the metadata document of the mint. */
            metadataUrl: string;
            /** @description Name of the launch config. */
            config: string;
            /**
             * @description Config account of the bonding curve.
             * @example So11111111111111111111111111111111111111112
             */
            configAddress: string;
            /** @description The creator’s buy in the same transaction; null if there is none. */
            initialBuy: {
                /**
                 * @description Lamports to spend, including the fee.
                 * @example 1000000
                 */
                amountRaw: string;
                /** @description How far the price may move against the creator before the buy is refused, in basis points. */
                slippageBps: number;
                /**
                 * @description Base units that the creator is expected to get.
                 * @example 1000000
                 */
                amountOutRaw: string;
                /**
                 * @description Smallest number of base units that the program accepts.
                 * @example 1000000
                 */
                minimumOutRaw: string;
            } | null;
            /**
             * @description Tip of the transaction to a landing service, in addition to fees; 0 if none is configured.
             * @example 1000000
             */
            tipLamports: string;
            /**
             * Format: uuid
             * @description The transaction intent to sign and submit.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            intentId: string;
            /** @description Address at which the intent can be read. */
            intentUrl: string;
            /** @description Signature of the transaction on chain; null until it was sent. */
            transactionSignature: string | null;
            /** @description Why it failed; null if it did not fail. */
            error: {
                /** @description Stable identifier. Branch on it. */
                code: string;
                /** @description What happened, in a sentence. Its wording may change. */
                detail: string;
            } | null;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ended; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            completedAt: string | null;
            sending: components["schemas"]["Sending"];
            intent: components["schemas"]["TransactionIntent"];
        };
        PreparedOrder: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "unsigned" | "open" | "triggered" | "landed" | "failed" | "cancelled" | "expired" | "voided";
            /**
             * @description Address of the wallet.
             * @example So11111111111111111111111111111111111111112
             */
            walletAddress: string;
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Whether the token is bought or sold.
             * @enum {string}
             */
            side: "buy" | "sell";
            /**
             * @description Amount that the wallet pays, in raw units: lamports for a buy.
             * @example 1000000
             */
            amountRaw: string;
            /**
             * @description Minimum amount that the wallet gets, in raw units. The program enforces it.
             * @example 1000000
             */
            limitRaw: string;
            /** @description Slippage from which `limitRaw` was computed, in basis points; null if the request had a `limitRaw`. */
            slippageBps: number | null;
            /** @description The price at which the order is sent. */
            trigger: {
                /**
                 * @description The price of a whole token that you set. Trades are compared with it by `of`: with `spot` their `spotPriceInSol`, with `trade` their `pricePerTokenInSol`.
                 * @example 0.000000029295
                 */
                price: string;
                /**
                 * @description Whether it triggers at the price and above, or at the price and below.
                 * @enum {string}
                 */
                when: "at_or_above" | "at_or_below";
                /**
                 * @description Which price of a trade is compared: the price of the pool after the trade, or the price that the trade paid, including fees.
                 * @enum {string}
                 */
                of: "trade" | "spot";
            };
            /**
             * Format: uuid
             * @description The order slot whose nonce the order is signed with.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            slotId: string;
            /** @description Orders of one slot with this name exclude each other; null for an order that has its slot alone. */
            oco: string | null;
            /**
             * @description Addresses to which it is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
             * @enum {string}
             */
            route: "fast" | "protected";
            /** @description Level that set its priority fee; null if no level did. */
            priorityLevel: ("min" | "low" | "medium" | "high" | "veryHigh") | null;
            /**
             * @description Tip to a landing service, in lamports; 0 if there is none.
             * @example 1000000
             */
            tipLamports: string;
            /** @description Its transactions, of which at most one lands. The first one is for the pool of today. */
            transactions: {
                /**
                 * Format: uuid
                 * @description Id of the transaction. When it is sent, its intent has the same id.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /**
                 * @description Where it trades: on the curve, or in the pool to which the token migrates.
                 * @enum {string}
                 */
                venue: "curve" | "amm";
                /** @description Whether its signature was accepted. */
                signed: boolean;
                /** @description The transaction to sign, byte for byte, in base64. */
                serializedTransaction: string;
                sending: components["schemas"]["Sending"];
            }[];
            /** @description The trade that triggered the order; null until then, and again if the trade was reverted before the order was sent. */
            triggeredBy: {
                /**
                 * Format: uuid
                 * @description The first trade that crossed the price.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                tradeId: string;
                /**
                 * @description Slot of the trade.
                 * @example 1000000
                 */
                slot: string;
                /**
                 * @description The price of the trade that was compared with the trigger: its `spotPriceInSol` or its `pricePerTokenInSol`.
                 * @example 0.000000029295
                 */
                price: string;
                /**
                 * Format: date-time
                 * @description When the service stored the trade.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                at: string;
            } | null;
            /** @description How often its simulation was refused before it was sent. */
            attempts: number;
            /** @description Why the chain refused it at the last refused simulation; null if it was never refused. */
            refusal: {
                /**
                 * @description Reason: too little balance, an error of a program, or something else.
                 * @enum {string}
                 */
                reason: "insufficient_funds" | "program_error" | "refused";
                /** @description The error of the program; null if there is none. */
                programError: {
                    /**
                     * @description Address of the program.
                     * @example So11111111111111111111111111111111111111112
                     */
                    program: string;
                    /** @description Number of the error. */
                    number: number;
                    /** @description Name of the error; null if it is unknown. */
                    name: string | null;
                } | null;
            } | null;
            /** @description Why it failed, or ended without landing; null otherwise. */
            reason: ("would_fail" | "transaction_failed" | "transaction_lost" | "requested" | "other_landed" | "not_signed" | "not_triggered" | "not_sent" | "withdrawn" | "nonce_spent" | "migrated" | "slot_closed") | null;
            /**
             * Format: uuid
             * @description The transaction intent that sends it; null until it is sent.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            intentId: string | null;
            /** @description Signature of the transaction on chain; null until it was sent. */
            transactionSignature: string | null;
            /** @description What its transaction did in its block; null until that is known. */
            landed: {
                /**
                 * @description Slot of the block.
                 * @example 1000000
                 */
                slot: string;
                /**
                 * Format: date-time
                 * @description Time of the block; null if the node has none.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                blockTime: string | null;
                /** @description Position among the transactions of the block, from 0; null if the node does not report it. */
                indexInBlock: number | null;
                /** @description Whether the chain executed it without an error. */
                succeeded: boolean;
                /**
                 * @description Fee of the transaction, including the priority fee.
                 * @example 1000000
                 */
                feeLamports: string;
                /**
                 * @description Compute units used; null if the node does not report them.
                 * @example 1000000
                 */
                computeUnits: string | null;
                /**
                 * @description Tip that it paid to a landing service, in addition to the fee; null if the transaction is of no swap or launch.
                 * @example 1000000
                 */
                tipLamports: string | null;
                /** @description Changes of the wallet that signed. */
                changes: {
                    /**
                     * @description Change of its lamports, including fee and tip.
                     * @example -1000000
                     */
                    lamports: string;
                    /** @description Token balances of the wallet that changed. */
                    tokens: {
                        /**
                         * @description Mint of the token.
                         * @example So11111111111111111111111111111111111111112
                         */
                        mintAddress: string;
                        /**
                         * @description Change of the balance, in raw units.
                         * @example -1000000
                         */
                        changeRaw: string;
                    }[];
                };
                /**
                 * @description Amount that the wallet paid in a swap, in raw units, without fee, tip and rent; null if the transaction is no swap, or failed.
                 * @example 1000000
                 */
                inputRaw: string | null;
                /**
                 * @description Amount that the wallet received in a swap, in raw units; null if the transaction is no swap, or failed.
                 * @example 1000000
                 */
                outputRaw: string | null;
                /**
                 * @description Price of a whole token that this swap paid (the fill), including the fees of the pool and the platform; null if there is no fill. It is not the market price, which other records name `priceInSol` too.
                 * @example 0.000000029295
                 */
                priceInSol: string | null;
                /** @description How much better (positive) or worse (negative) the swap was than quoted, in basis points of the quoted amount; null if the transaction is no swap. */
                quoteDifferenceBps: number | null;
            } | null;
            /**
             * Format: uuid
             * @description The newest transaction intent that makes the signatures of the order worthless; null if there is none.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            advanceIntentId: string | null;
            /** @description Version of the record, for `If-Match`. */
            version: number;
            /**
             * Format: date-time
             * @description When the order expires, unless it is sent before.
             * @example 2026-11-20T10:00:00.000Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was signed; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            openedAt: string | null;
            /**
             * Format: date-time
             * @description When it ended; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            completedAt: string | null;
            /** @description Changes of durable nonces in the cluster, planned or made, that affect how the order lands; usually empty. */
            notices: ("nonce_priority_end_scheduled" | "nonce_priority_ended" | "nonce_removal_scheduled" | "nonces_removed")[];
        };
        PreparedOrderSlot: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description The nonce account.
             * @example So11111111111111111111111111111111111111112
             */
            nonceAddress: string;
            /**
             * @description The wallet that pays the rent of the account, may advance its nonce, and gets the rent back.
             * @example So11111111111111111111111111111111111111112
             */
            walletAddress: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "pending" | "ready" | "closed" | "failed" | "expired";
            /** @description The nonce at `readSlot`, in base58; it may have advanced since. Null until the account has one. */
            nonce: string | null;
            /**
             * @description Slot of the chain at which the nonce was read; null until then.
             * @example 1000000
             */
            readSlot: string | null;
            /**
             * Format: uuid
             * @description The transaction intent that creates the account; null for an account that existed before.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            intentId: string | null;
            /**
             * Format: uuid
             * @description The newest transaction intent that returns the rent; null if there is none.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            closingIntentId: string | null;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ended; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            completedAt: string | null;
            /** @description Null for an account that existed before. */
            sending: components["schemas"]["Sending"] | null;
            /** @description Null for an account that existed before. */
            intent: components["schemas"]["TransactionIntent"] | null;
        };
        Presale: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "draft" | "initializing" | "active" | "settling" | "settled" | "refunding" | "failed";
            /** @description How the supply is divided, in basis points. */
            allocationsBps: {
                /** @description Share that is burnt. */
                burn: number;
                /** @description Part that goes into the pool. */
                pool: number;
                /** @description Share that is sold. */
                sale: number;
            };
            /**
             * @description Lamports that the creator has to deposit.
             * @example 1000000
             */
            creatorCommitmentLamports: string;
            /**
             * @description Minimum for the presale to succeed.
             * @example 1000000
             */
            minCapLamports: string;
            /**
             * @description Maximum that the presale accepts.
             * @example 1000000
             */
            maxCapLamports: string;
            /**
             * @description Maximum that one wallet may deposit.
             * @example 1000000
             */
            perWalletCapLamports: string;
            /**
             * @description Lamports that all wallets deposited.
             * @example 1000000
             */
            totalDepositedLamports: string;
            /** @description Wallets that take part. */
            participantCount: number;
            /**
             * Format: date-time
             * @description From this time on deposits count.
             * @example 2026-11-20T10:00:00.000Z
             */
            publicStartAt: string;
            /**
             * Format: date-time
             * @description From this time on no deposit counts.
             * @example 2026-11-20T10:00:00.000Z
             */
            deadline: string;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed.
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
        };
        PresaleParticipation: {
            /**
             * Format: uuid
             * @description The presale.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            presaleId: string;
            /**
             * @description Address of the wallet.
             * @example So11111111111111111111111111111111111111112
             */
            walletAddress: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "deposited" | "refunded" | "settled";
            /**
             * @description Lamports that the wallet deposited.
             * @example 1000000
             */
            depositedLamports: string;
            /**
             * @description Lamports that were refunded to the wallet.
             * @example 1000000
             */
            refundedLamports: string;
            /**
             * @description Base units that the wallet may claim; null before settlement.
             * @example 1000000
             */
            allocationRaw: string | null;
            /**
             * @description Base units that were claimed.
             * @example 1000000
             */
            claimedRaw: string;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed.
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
        };
        PriorityFees: {
            /**
             * @description The token of the request; null with `accounts`.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string | null;
            /** @description The written accounts to which the prices apply. */
            accounts: string[];
            /** @description Micro-lamports per compute unit: percentiles of the lowest price at which a transaction that wrote these accounts landed, block by block. */
            levels: {
                /**
                 * @description The lowest of all blocks.
                 * @example 1000000
                 */
                min: string;
                /**
                 * @description 25th percentile.
                 * @example 1000000
                 */
                low: string;
                /**
                 * @description 50th percentile.
                 * @example 1000000
                 */
                medium: string;
                /**
                 * @description 75th percentile, which `auto` pays.
                 * @example 1000000
                 */
                high: string;
                /**
                 * @description 95th percentile.
                 * @example 1000000
                 */
                veryHigh: string;
            };
            /**
             * @description Maximum that a swap or launch of this deployment pays, whatever its level.
             * @example 1000000
             */
            maxComputeUnitPrice: string;
            /** @description Blocks in the sample, at most 150. */
            sampleSize: number;
            /**
             * @description The newest of these blocks; null if there is none.
             * @example 1000000
             */
            slot: string | null;
        };
        QuoteBasket: {
            /** @description One for each mint, in the order of the request. */
            items: {
                /**
                 * @description Mint of the token.
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAddress: string;
                /** @description The quote; null if there is none, and `error` then says why. */
                quote: components["schemas"]["SwapQuote"] | null;
                /** @description Why this token has no quote; null if it has one. */
                error: {
                    /** @description Stable identifier. Branch on it. */
                    code: string;
                    /** @description What happened, in a sentence. Its wording may change. */
                    detail: string;
                    /** @description Facts about the error; null if there are none. */
                    context: {
                        [key: string]: unknown;
                    } | null;
                } | null;
            }[];
            /**
             * @description Slot of the chain at which this was read.
             * @example 1000000
             */
            slot: string;
            /**
             * Format: date-time
             * @description When this was observed.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
        };
        RecordedEvent: {
            /**
             * Format: uuid
             * @description Id of the event: `webhook-id` of its deliveries.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /** @description Type of the event. */
            type: string;
            /** @description Subject of the event. */
            subject: string;
            /**
             * Format: date-time
             * @description When it was recorded; the list is in this order.
             * @example 2026-11-20T10:00:00.000Z
             */
            recordedAt: string;
            /** @description The CloudEvent, as deliveries carry it. */
            body: {
                [key: string]: unknown;
            };
        };
        RotatedWebhookSecret: {
            /**
             * Format: uuid
             * @description The webhook endpoint.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            endpointId: string;
            /** @description Signs deliveries. Shown once: `whsec_` and base64 of 32 bytes. */
            secret: string;
            /**
             * Format: date-time
             * @description Until when the previous secret signs as well; null if there is none.
             * @example 2026-11-20T10:00:00.000Z
             */
            previousSecretExpiresAt: string | null;
            /**
             * Format: date-time
             * @description When a still older secret, which this rotation ended, would have expired; null if it ended none.
             * @example 2026-11-20T10:00:00.000Z
             */
            endedSecretExpiresAt: string | null;
            /** @description Version of the record, for `If-Match`. */
            version: number;
        };
        RoundPredictions: {
            /**
             * @description Before the lock only the number of predictions is shown, after it each of them.
             * @enum {string}
             */
            visibility: "aggregate";
            /** @description Wallets that take part. */
            participantCount: number;
        } | {
            /**
             * @description Before the lock only the number of predictions is shown, after it each of them.
             * @enum {string}
             */
            visibility: "exact";
            /** @description Wallets that take part. */
            participantCount: number;
            /** @description The entries of this page. */
            data: {
                /**
                 * Format: uuid
                 * @description Identifies the record.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /**
                 * @description Address of the wallet.
                 * @example So11111111111111111111111111111111111111112
                 */
                walletAddress: string;
                /** @description Name of the owner of the wallet. */
                username: string;
                /**
                 * @description Predicted price of a whole token.
                 * @example 0.000000029295
                 */
                predictedPriceInSol: string;
                /**
                 * Format: date-time
                 * @description When the prediction was submitted.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string;
            }[];
            /** @description Position of this page in the list. */
            page: {
                /** @description Whether another page follows. */
                hasMore: boolean;
                /** @description `cursor` of the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
        /** @description How the transaction is sent, and what it pays to be sent. */
        Sending: {
            /**
             * @description Addresses to which it is sent.
             * @enum {string}
             */
            route: "fast" | "protected";
            /** @description The requested level; null if there is none. */
            priorityLevel: ("min" | "low" | "medium" | "high" | "veryHigh") | null;
            /**
             * @description The price in the transaction, in micro-lamports per compute unit.
             * @example 1000000
             */
            computeUnitPrice: string;
            /** @description Maximum compute units of the transaction. */
            computeUnitLimit: number;
            /**
             * @description Priority fee, in lamports.
             * @example 1000000
             */
            priorityFeeLamports: string;
            /**
             * @description Tip to a landing service, in lamports; 0 if there is none.
             * @example 1000000
             */
            tipLamports: string;
            /** @description Name of the landing service that gets the tip; null if there is no tip, or the operator gave the service no name. */
            tipService: string | null;
        };
        StakingLeaderboard: {
            /**
             * Format: date-time
             * @description When this was observed.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            /** @description The stakers, largest first. */
            data: {
                /** @description Rank; equal stakes share one. */
                rank: number;
                /**
                 * @description Address of the wallet.
                 * @example So11111111111111111111111111111111111111112
                 */
                walletAddress: string;
                /**
                 * @description Stake in base units.
                 * @example 1000000
                 */
                stakedRaw: string;
                /** @description Share of all stakes, in basis points. */
                shareBps: number;
                /**
                 * Format: date-time
                 * @description When the oldest stake that the wallet still holds began.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                stakedSince: string;
            }[];
        };
        StakingPool: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Account of the pool.
             * @example So11111111111111111111111111111111111111112
             */
            poolAddress: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "active" | "paused" | "closed";
            /**
             * @description Sum of all stakes, in base units.
             * @example 1000000
             */
            totalStakedRaw: string;
            /** @description Wallets that stake. */
            stakerCount: number;
            /**
             * @description Rewards per second, in base units.
             * @example 1000000
             */
            rewardRatePerSecondRaw: string;
            /**
             * @description Rewards paid so far, base units.
             * @example 1000000
             */
            rewardsDistributedRaw: string;
            /** @description How long a stake is locked. */
            lockPeriodSeconds: number;
            /**
             * @description Slot of the chain at which this was read.
             * @example 1000000
             */
            slot: string;
            /**
             * Format: date-time
             * @description When this was observed.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
        };
        StakingPositions: {
            /**
             * Format: date-time
             * @description When this was observed.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            /** @description The positions, oldest first. */
            data: {
                /**
                 * Format: uuid
                 * @description Identifies the record.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /**
                 * @description Address of the wallet.
                 * @example So11111111111111111111111111111111111111112
                 */
                walletAddress: string;
                /**
                 * @description Stake in base units.
                 * @example 1000000
                 */
                stakedRaw: string;
                /**
                 * @description Rewards that can be claimed, base units.
                 * @example 1000000
                 */
                pendingRewardsRaw: string;
                /**
                 * @description Rewards that were claimed, base units.
                 * @example 1000000
                 */
                claimedRewardsRaw: string;
                /**
                 * Format: date-time
                 * @description When it was staked.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                stakedAt: string;
                /**
                 * Format: date-time
                 * @description When the stake can be taken back; null if there is no such time.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                unlocksAt: string | null;
            }[];
        };
        StreamMessage: {
            /** @description Kind of the message. */
            event: string;
            /** @description Cursor after this message. */
            id?: string;
            /** @description Topic of the message. */
            topic?: string;
            /** @description True for the first messages of a topic. */
            snapshot?: boolean;
            /** @description The record. */
            data?: unknown;
        };
        SupplyComposition: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /** @description Whether the composition could be read completely. */
            available: boolean;
            /** @description Why the composition is incomplete; null if it is complete. */
            unavailableReason: ("not_launched" | "chain_unavailable") | null;
            /**
             * Format: date-time
             * @description When this was computed.
             * @example 2026-11-20T10:00:00.000Z
             */
            computedAt: string;
            /** @description Slot at which the accounts were read; null if they were not read. */
            slot: number | null;
            /** @description Decimal places of the mint. */
            tokenDecimals: number | null;
            /**
             * @description Total supply in raw units; null while unknown.
             * @example 1000000
             */
            totalSupply: string | null;
            /** @description Whether the token trades on the curve, migrates, or trades on the AMM; null while unknown. */
            lifecycle: ("bonding" | "migrating" | "graduated") | null;
            /** @description Whether every account could be read; null if none was read. */
            reads: ("complete" | "partial") | null;
            /** @description Parts that could not be read. */
            unreadBuckets: ("curve_unsold" | "curve_leftover" | "migration_reserve" | "pool_reserve" | "vesting_escrows" | "staking_vault" | "tokenomics_vault" | "fee_vault" | "free_float")[];
            /** @description The parts of the supply. */
            buckets: {
                /**
                 * @description Name of the part.
                 * @enum {string}
                 */
                key: "curve_unsold" | "curve_leftover" | "migration_reserve" | "pool_reserve" | "vesting_escrows" | "staking_vault" | "tokenomics_vault" | "fee_vault" | "free_float";
                /**
                 * @description Amount in raw units.
                 * @example 1000000
                 */
                amount: string;
                /** @description Share of the total supply, in percent. */
                percentage: number;
                /** @description Accounts that hold this part. */
                addresses: string[];
            }[];
            /** @description Who may change the mint; null if the mint could not be read. */
            authorities: {
                /**
                 * @description Who may mint more tokens; null if nobody may.
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAuthority: string | null;
                /**
                 * @description Who may freeze accounts; null if nobody may.
                 * @example So11111111111111111111111111111111111111112
                 */
                freezeAuthority: string | null;
                /**
                 * @description Token program that owns the mint.
                 * @enum {string}
                 */
                tokenProgram: "spl_token" | "token_2022";
                /** @description Extensions of Token-2022 that the mint carries. */
                extensions: string[];
            } | null;
            /** @description How the liquidity is locked; null on the curve. */
            lpLock: {
                /**
                 * @description Account of the pool.
                 * @example So11111111111111111111111111111111111111112
                 */
                poolAddress: string;
                /** @description Liquidity positions of the pool. */
                positionCount: number;
                /** @description Share of the liquidity that is locked for ever, in whole basis points, rounded down. */
                permanentlyLockedBps: number;
                /** @description Whether some position can withdraw liquidity now. Liquidity that is still vesting cannot be withdrawn. */
                hasUnlockedLiquidity: boolean;
                /** @description Whether all liquidity is locked for ever. */
                isFullyPermanentlyLocked: boolean;
            } | null;
        };
        Swap: {
            /**
             * Format: uuid
             * @description The transaction intent to sign and submit.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            intentId: string;
            /**
             * Format: uri
             * @description Address at which the intent can be read.
             */
            intentUrl: string;
            /** @description Version of the record, for `If-Match`. */
            version: number;
            /**
             * @description The wallet that must sign.
             * @example So11111111111111111111111111111111111111112
             */
            expectedSigner: string;
            /** @description Blockhash of the transaction. */
            recentBlockhash: string;
            /**
             * @description Block height above which the transaction certainly cannot land.
             * @example 1000000
             */
            lastValidBlockHeight: string;
            /**
             * Format: date-time
             * @description When it expires.
             * @example 2026-11-20T10:00:00.000Z
             */
            expiresAt: string;
            /**
             * @description Tip of the transaction to a landing service, in addition to fees; 0 if none is configured.
             * @example 1000000
             */
            tipLamports: string;
            sending: components["schemas"]["Sending"];
            quote: components["schemas"]["SwapQuote"];
            intent: components["schemas"]["TransactionIntent"];
        };
        SwapInstructions: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Address of the wallet.
             * @example So11111111111111111111111111111111111111112
             */
            walletAddress: string;
            /** @description The instructions of the swap. Use all of them in this order. Other instructions may come before, between and after them, but no other swap of the pool. */
            instructions: {
                /**
                 * @description The program to call.
                 * @example So11111111111111111111111111111111111111112
                 */
                programAddress: string;
                /** @description Its accounts, in order. */
                accounts: {
                    /**
                     * @description Address of the account.
                     * @example So11111111111111111111111111111111111111112
                     */
                    address: string;
                    /** @description Whether it must sign the transaction. */
                    isSigner: boolean;
                    /** @description Whether the transaction may change the account. */
                    isWritable: boolean;
                }[];
                /** @description Data of the instruction, in base64. */
                data: string;
            }[];
            /** @description Who must sign for these instructions. */
            signers: string[];
            /** @description Lookup tables that the instructions need; none today. */
            lookupTables: string[];
            /** @description Figures for the compute budget of the transaction. Add what your own instructions use. */
            computeUnits: {
                /** @description Compute units that the simulation used; null if there was none. */
                consumed: number | null;
                /** @description A sufficient limit for these instructions, without budget instructions. */
                limit: number;
                /**
                 * @description Micro-lamports per unit that recent transactions with this pool paid.
                 * @example 1000000
                 */
                price: string;
            };
            quote: components["schemas"]["SwapQuote"];
        };
        /** @description A swap with its amounts, fees and prices in one slot. */
        SwapQuote: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Where the token trades.
             * @enum {string}
             */
            venue: "bonding_curve" | "amm";
            /**
             * @description Account of the pool.
             * @example So11111111111111111111111111111111111111112
             */
            poolAddress: string;
            /**
             * @description Program of the pool.
             * @example So11111111111111111111111111111111111111112
             */
            programAddress: string;
            /**
             * @description Whether the token is bought or sold.
             * @enum {string}
             */
            side: "buy" | "sell";
            /**
             * @description Which side of the swap `amountRaw` fixes.
             * @enum {string}
             */
            mode: "exact-in" | "exact-out";
            /**
             * @description Mint of the token that the wallet pays with.
             * @example So11111111111111111111111111111111111111112
             */
            inputMint: string;
            /**
             * @description Mint of the token that the wallet gets.
             * @example So11111111111111111111111111111111111111112
             */
            outputMint: string;
            /**
             * @description Amount that the wallet pays, in raw units, including pool fees and platform fee.
             * @example 1000000
             */
            inputRaw: string;
            /**
             * @description Amount that the wallet gets after all of these fees, in raw units.
             * @example 1000000
             */
            outputRaw: string;
            /** @description The requested share of the wallet’s tokens, in basis points, whose amount is `inputRaw`; null with `amountRaw`. */
            amountBps: number | null;
            /**
             * @description Tokens of the wallet in this slot, raw units; null without `amountBps`.
             * @example 1000000
             */
            walletBalanceRaw: string | null;
            /** @description Fee of an integrator, included in `inputRaw` of a buy and taken off `outputRaw` of a sell; null without `platformFeeBps`. */
            platformFee: {
                /** @description The requested rate, in basis points. */
                bps: number;
                /**
                 * @description Amount that is paid, whatever the price does in the meantime.
                 * @example 1000000
                 */
                lamports: string;
                /**
                 * @description Account that gets the fee, as the operator registered it; null in quotes, because a quote belongs to no account.
                 * @example So11111111111111111111111111111111111111112
                 */
                account: string | null;
            } | null;
            /** @description How much worse than quoted the swap may become, in basis points; null if the request had a `limitRaw`. */
            slippageBps: number | null;
            /**
             * @description Minimum output with `exact-in`; null with `exact-out`.
             * @example 1000000
             */
            minimumOutputRaw: string | null;
            /**
             * @description Maximum input with `exact-out`; null with `exact-in`.
             * @example 1000000
             */
            maximumInputRaw: string | null;
            /** @description Fee of the pool, included in the amounts. */
            fee: {
                /**
                 * @description Mint of the token.
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAddress: string;
                /**
                 * @description Fee as a fraction of the amount.
                 * @example 0.000000029295
                 */
                rate: string;
                /**
                 * @description Total fee, in raw units.
                 * @example 1000000
                 */
                totalRaw: string;
                /**
                 * @description Share of the protocol, raw units.
                 * @example 1000000
                 */
                protocolRaw: string;
                /**
                 * @description Share of the partner, raw units.
                 * @example 1000000
                 */
                partnerRaw: string;
                /**
                 * @description Share of the creator, raw units.
                 * @example 1000000
                 */
                creatorRaw: string;
                /**
                 * @description Share of the liquidity providers, raw units.
                 * @example 1000000
                 */
                liquidityProvidersRaw: string;
            };
            /**
             * @description Price of a whole token at the pool before the swap, without fees. The price that a swap paid is `priceInSol` of its landing.
             * @example 0.000000029295
             */
            spotPriceInSol: string;
            /**
             * @description Price of a whole token at the pool after the swap.
             * @example 0.000000029295
             */
            spotPriceAfterInSol: string;
            /** @description How much less the swap gives than the spot price would, without fees, in basis points. */
            priceImpactBps: number;
            /** @description Whether the swap would be the last one on the curve. */
            completesCurve: boolean;
            /** @description Amounts that the curve still takes and sells; null on the AMM. */
            remainingCapacity: {
                /**
                 * @description Lamports that the curve still takes, without fees.
                 * @example 1000000
                 */
                quoteRaw: string;
                /**
                 * @description Maximum base units of the token that a buy can still get.
                 * @example 1000000
                 */
                baseRaw: string;
            } | null;
            /**
             * @description Slot of the chain at which this was read.
             * @example 1000000
             */
            slot: string;
            /**
             * Format: date-time
             * @description When this was observed.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
        };
        Token: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Wallet that the pool names as its creator now. Until there is a pool, the wallet that launches the token.
             * @example So11111111111111111111111111111111111111112
             */
            creatorWallet: string;
            /** @description Name of the token. */
            name: string;
            /** @description Ticker of the token. */
            symbol: string;
            /** @description Description by the creator; null if there is none. */
            description: string | null;
            /** @description Address of the picture; null if there is none. */
            imageUrl: string | null;
            /** @description Decimal places of the mint. */
            decimals: number;
            /**
             * @description Supply in whole tokens.
             * @example 0.000000029295
             */
            totalSupply: string;
            /**
             * @description Market price of a whole token: the price of the pool after its last trade or, if the source reports no price of the pool, the price that this trade paid; null while unknown. A market snapshot and a position name it `priceInSol`.
             * @example 0.000000029295
             */
            currentPriceInSol: string | null;
            /**
             * @description Price times total supply; null if there is no price.
             * @example 0.000000029295
             */
            marketCapInSol: string | null;
            /**
             * @description SOL that the curve has collected.
             * @example 0.000000029295
             */
            solCollectedInSol: string;
            /**
             * @description How the token was launched.
             * @enum {string}
             */
            launchType: "dbc" | "pre_raise";
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "pending" | "pending_launch_init" | "pending_escrows" | "pending_finalization" | "bonding" | "pre_raise_pending" | "pre_raising" | "pre_raise_settling" | "pre_raise_refunding" | "pre_raise_failed" | "graduating_migration_pending" | "graduated" | "graduation_failed" | "expired" | "cancelled" | "failed";
            /**
             * Format: date-time
             * @description When the pool was created; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            launchedAt: string | null;
            /**
             * Format: date-time
             * @description When the curve migrated to the AMM; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            graduatedAt: string | null;
            /** @description Links of the creator. */
            links: {
                /** @description Telegram address; null if there is none. */
                telegram: string | null;
                /** @description X (Twitter) address; null if there is none. */
                twitter: string | null;
                /** @description Website; null if there is none. */
                website: string | null;
            };
        };
        TokenRanking: {
            /**
             * @description Market cap; null if there is no price.
             * @example 0.000000029295
             */
            marketCapInSol: string | null;
            /**
             * @description SOL traded in the last 24 hours.
             * @example 0.000000029295
             */
            volumeInSol24h: string;
            /** @description Trades of the last hour. */
            tradeCount1h: number;
            /**
             * @description Change of the price in the last hour in percent, cut off after six fractional digits; null if there is no price.
             * @example -0.25
             */
            priceChangePercent1h: string | null;
            /**
             * @description SOL in the curve divided by the SOL at which it is complete, 0 to 1; null while unknown.
             * @example 0.000000029295
             */
            graduationProgress: string | null;
            /**
             * Format: date-time
             * @description Block time of the last trade; null if there is none.
             * @example 2026-11-20T10:00:00.000Z
             */
            lastTradeAt: string | null;
        };
        TokenStats: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * Format: date-time
             * @description When this was observed.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            /** @description Figures by window. */
            windows: {
                "5m": components["schemas"]["WindowStats"];
                "1h": components["schemas"]["WindowStats"];
                "6h": components["schemas"]["WindowStats"];
                "24h": components["schemas"]["WindowStats"];
            };
            /**
             * @description SOL in the curve divided by the SOL at which it is complete, from 0 to 1, cut off after 18 fractional digits; 1 once the curve is complete, null while unknown.
             * @example 0.000000029295
             */
            graduationProgress: string | null;
            /** @description Why the progress is null: the token has no curve, the terms of its curve were not read yet, or its trades come from a source that reports no reserve. */
            graduationProgressUnknown: ("no_curve" | "threshold_unknown" | "reserve_unknown") | null;
            /**
             * @description SOL in the curve at which it is complete; null while unknown.
             * @example 0.000000029295
             */
            graduationThresholdInSol: string | null;
            /**
             * @description SOL in the curve.
             * @example 0.000000029295
             */
            solCollectedInSol: string;
        };
        TopHolders: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Slot of the chain at which this was read.
             * @example 1000000
             */
            slot: string;
            /**
             * Format: date-time
             * @description When this was observed.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            /**
             * @description Supply in whole tokens.
             * @example 0.000000029295
             */
            totalSupply: string;
            /** @description The holders, the largest balance first. */
            data: {
                /**
                 * @description Wallet, or account of the protocol.
                 * @example So11111111111111111111111111111111111111112
                 */
                address: string;
                /**
                 * @description Whole tokens that it holds in all its accounts.
                 * @example 0.000000029295
                 */
                balanceInToken: string;
                /** @description Share of the total supply, in percent, cut off after six digits. */
                sharePercent: number;
                /** @description What the address is known to be. */
                labels: ("creator" | "pool" | "locker" | "staking" | "tokenomics")[];
            }[];
        };
        TopTraders: {
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * Format: date-time
             * @description When this was observed.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            /** @description False while trades of the token are being counted again. The list may then be incomplete. */
            complete: boolean;
            /** @description The traders, the largest realised result first. */
            data: {
                /**
                 * @description Address of the wallet.
                 * @example So11111111111111111111111111111111111111112
                 */
                traderWallet: string;
                /** @description Purchases. */
                buyCount: number;
                /** @description Sales. */
                sellCount: number;
                /**
                 * @description Whole tokens bought.
                 * @example 0.000000029295
                 */
                boughtInToken: string;
                /**
                 * @description SOL paid for them, fees included.
                 * @example 0.000000029295
                 */
                boughtInSol: string;
                /**
                 * @description Whole tokens sold.
                 * @example 0.000000029295
                 */
                soldInToken: string;
                /**
                 * @description SOL received for them, fees deducted.
                 * @example 0.000000029295
                 */
                soldInSol: string;
                /**
                 * @description Whole tokens that were bought and not sold.
                 * @example 0.000000029295
                 */
                heldInToken: string;
                /**
                 * @description Average cost of those tokens, in total.
                 * @example 0.000000029295
                 */
                costInSol: string;
                /**
                 * @description Average cost of one whole token of those, cut off after 18 fractional digits; null if there are none.
                 * @example 0.000000029295
                 */
                averageCostInSol: string | null;
                /**
                 * @description Average cost of the sold tokens, in total.
                 * @example 0.000000029295
                 */
                soldCostInSol: string;
                /**
                 * @description What was received for bought tokens, less their cost; negative for a loss.
                 * @example -0.25
                 */
                realisedInSol: string;
                /**
                 * @description Whole tokens that were sold without having been bought. They have no cost and count in no result.
                 * @example 0.000000029295
                 */
                uncoveredInToken: string;
                /**
                 * @description SOL received for those tokens.
                 * @example 0.000000029295
                 */
                uncoveredInSol: string;
                /**
                 * Format: date-time
                 * @description Block time of the first trade.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                firstTradeAt: string;
                /**
                 * Format: date-time
                 * @description Block time of the last trade.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                lastTradeAt: string;
                /**
                 * Format: date-time
                 * @description Block time of the last purchase; null if there is none.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                lastBuyAt: string | null;
                /**
                 * Format: date-time
                 * @description Block time of the last sale; null if there is none.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                lastSellAt: string | null;
            }[];
        };
        Trade: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * @description Mint of the token.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string;
            /**
             * @description Whether the token was bought or sold.
             * @enum {string}
             */
            type: "buy" | "sell";
            /**
             * @description Wallet that traded.
             * @example So11111111111111111111111111111111111111112
             */
            traderWallet: string;
            /**
             * @description Amount of SOL traded.
             * @example 0.000000029295
             */
            solAmount: string;
            /**
             * @description Amount of whole tokens traded.
             * @example 0.000000029295
             */
            tokenAmount: string;
            /**
             * @description Price of a whole token that this trade paid, including fees of the pool. The price of the pool after the trade is `spotPriceInSol`.
             * @example 0.000000029295
             */
            pricePerTokenInSol: string;
            /**
             * @description Price of a whole token at the pool after this trade; null if the source does not report it. The price that the trade paid is `pricePerTokenInSol`.
             * @example 0.000000029295
             */
            spotPriceInSol: string | null;
            /**
             * @description Slot of the chain at which this was read.
             * @example 1000000
             */
            slot: string;
            /**
             * Format: date-time
             * @description Block time of the chain.
             * @example 2026-11-20T10:00:00.000Z
             */
            blockTime: string;
            /** @description Signature of the transaction that traded. */
            transactionSignature: string;
        };
        /** @description A transaction that was prepared for a wallet to sign, and its outcome. */
        TransactionIntent: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /** @description Purpose of the transaction. */
            kind: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
            /**
             * @description The wallet that must sign.
             * @example So11111111111111111111111111111111111111112
             */
            expectedSigner: string;
            /** @description The transaction to sign, byte for byte, in base64. */
            serializedTransaction: string;
            /** @description Blockhash of the transaction. */
            recentBlockhash: string | null;
            /**
             * @description Block height above which the transaction certainly cannot land; null if none is known, as for a durable nonce.
             * @example 1000000
             */
            lastValidBlockHeight: string | null;
            /** @description What the transaction may do. */
            policy: {
                /** @description Programs that the transaction may call; empty if it may call any. */
                allowedPrograms: string[];
                /**
                 * @description Maximum micro-lamports per compute unit; null if there is no maximum.
                 * @example 1000000
                 */
                maxComputeUnitPrice: string | null;
                /** @description Whether a simulation must succeed first. */
                requireSimulation: boolean;
                /** @description The payment to an integrator that the transaction must make; absent if there is none. */
                platformFee?: {
                    /**
                     * @description Account that gets the payment.
                     * @example So11111111111111111111111111111111111111112
                     */
                    account: string;
                    /**
                     * @description Lamports that the integrator gets.
                     * @example 1000000
                     */
                    lamports: string;
                };
            };
            /**
             * @description Addresses to which it is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
             * @enum {string}
             */
            route: "fast" | "protected";
            /** @description Level that set its priority fee; null if no level did. */
            priorityLevel: ("min" | "low" | "medium" | "high" | "veryHigh") | null;
            /** @description Signature of the transaction on chain; null until it was sent. */
            transactionSignature: string | null;
            /**
             * @description Token that the transaction trades or creates; null if it is of no swap or launch.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string | null;
            /**
             * Format: uuid
             * @description The launch to which it belongs; null if there is none.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            launchId: string | null;
            /** @description The quote of the swap; null if the transaction is no swap. */
            quote: {
                /**
                 * @description Whether the token is bought or sold.
                 * @enum {string}
                 */
                side: "buy" | "sell";
                /**
                 * @description Which side of the swap was fixed.
                 * @enum {string}
                 */
                mode: "exact-in" | "exact-out";
                /**
                 * @description Mint of the token that the wallet pays with.
                 * @example So11111111111111111111111111111111111111112
                 */
                inputMint: string;
                /**
                 * @description Mint of the token that the wallet gets.
                 * @example So11111111111111111111111111111111111111112
                 */
                outputMint: string;
                /**
                 * @description Quoted input, in raw units.
                 * @example 1000000
                 */
                inputRaw: string;
                /**
                 * @description Quoted output, in raw units.
                 * @example 1000000
                 */
                outputRaw: string;
                /** @description How much worse than quoted the swap may become, in basis points; null if the request had a `limitRaw`. */
                slippageBps: number | null;
                /**
                 * @description Minimum output with `exact-in`, in raw units; null with `exact-out`.
                 * @example 1000000
                 */
                minimumOutputRaw: string | null;
                /**
                 * @description Maximum input with `exact-out`, in raw units; null with `exact-in`.
                 * @example 1000000
                 */
                maximumInputRaw: string | null;
                /**
                 * @description Slot of the accounts that were quoted.
                 * @example 1000000
                 */
                slot: string;
            } | null;
            /** @description What the transaction did in its block; null until that is known, and after a fork has dropped the block. */
            landed: {
                /**
                 * @description Slot of the block.
                 * @example 1000000
                 */
                slot: string;
                /**
                 * Format: date-time
                 * @description Time of the block; null if the node has none.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                blockTime: string | null;
                /** @description Position among the transactions of the block, from 0; null if the node does not report it. */
                indexInBlock: number | null;
                /** @description Whether the chain executed it without an error. */
                succeeded: boolean;
                /**
                 * @description Fee of the transaction, including the priority fee.
                 * @example 1000000
                 */
                feeLamports: string;
                /**
                 * @description Compute units used; null if the node does not report them.
                 * @example 1000000
                 */
                computeUnits: string | null;
                /**
                 * @description Tip that it paid to a landing service, in addition to the fee; null if the transaction is of no swap or launch.
                 * @example 1000000
                 */
                tipLamports: string | null;
                /** @description Changes of the wallet that signed. */
                changes: {
                    /**
                     * @description Change of its lamports, including fee and tip.
                     * @example -1000000
                     */
                    lamports: string;
                    /** @description Token balances of the wallet that changed. */
                    tokens: {
                        /**
                         * @description Mint of the token.
                         * @example So11111111111111111111111111111111111111112
                         */
                        mintAddress: string;
                        /**
                         * @description Change of the balance, in raw units.
                         * @example -1000000
                         */
                        changeRaw: string;
                    }[];
                };
                /**
                 * @description Amount that the wallet paid in a swap, in raw units, without fee, tip and rent; null if the transaction is no swap, or failed.
                 * @example 1000000
                 */
                inputRaw: string | null;
                /**
                 * @description Amount that the wallet received in a swap, in raw units; null if the transaction is no swap, or failed.
                 * @example 1000000
                 */
                outputRaw: string | null;
                /**
                 * @description Price of a whole token that this swap paid (the fill), including the fees of the pool and the platform; null if there is no fill. It is not the market price, which other records name `priceInSol` too.
                 * @example 0.000000029295
                 */
                priceInSol: string | null;
                /** @description How much better (positive) or worse (negative) the swap was than quoted, in basis points of the quoted amount; null if the transaction is no swap. */
                quoteDifferenceBps: number | null;
            } | null;
            /** @description How far the block is settled: `confirmed`, `finalized`, or `reverted` when a fork dropped it; null while nothing has landed. */
            finality: ("confirmed" | "finalized" | "reverted") | null;
            /** @description Why it failed; null if it did not fail. */
            error: {
                /**
                 * @description Stable identifier. Branch on it.
                 * @enum {string}
                 */
                code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                /** @description What happened, in a sentence. Its wording may change. */
                detail: string;
            } | null;
            /** @description Version of the record, for `If-Match`. */
            version: number;
            /**
             * Format: date-time
             * @description When it expires.
             * @example 2026-11-20T10:00:00.000Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string | null;
            /**
             * Format: date-time
             * @description When it was submitted; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            submittedAt: string | null;
            /**
             * Format: date-time
             * @description When it ended; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            completedAt: string | null;
        };
        TransactionIntentSends: {
            /**
             * Format: uuid
             * @description The intent.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            intentId: string;
            /** @description One for each address, by name; empty before the first record, and after its retention. */
            addresses: {
                /** @description Name of the address, as the operator gave it. */
                name: string;
                /** @description Whether this intent was withheld from the address, so that the landing report can compare. The fields below are then null. */
                heldOut: boolean;
                /** @description Number of recorded sends. */
                sendCount: number;
                /** @description Number of sends that the address accepted, or had accepted before. */
                takenCount: number;
                /**
                 * Format: date-time
                 * @description When the first recorded send began.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                firstSentAt: string | null;
                /**
                 * Format: date-time
                 * @description When the latest recorded send began.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                lastSentAt: string | null;
                /**
                 * @description Newest confirmed slot that the service knew at the first send; null if it knew none.
                 * @example 1000000
                 */
                firstSlot: string | null;
                /** @description How the address answered the latest send. */
                answer: ("accepted" | "already_processed" | "refused" | "unavailable" | "other_signature" | "unknown") | null;
                /** @description Why it did not accept the latest send, where that is known. */
                reason: ("no_response" | "rate_limited" | "unauthorized" | "http_error" | "blockhash_not_found" | "invalid_signature" | "preflight_failed" | "node_unhealthy" | "other") | null;
            }[];
        };
        TransactionIntentSummary: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /** @description Purpose of the transaction. */
            kind: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
            /**
             * @description The wallet that must sign.
             * @example So11111111111111111111111111111111111111112
             */
            expectedSigner: string;
            /** @description Blockhash of the transaction. */
            recentBlockhash: string | null;
            /**
             * @description Block height above which the transaction certainly cannot land; null if none is known, as for a durable nonce.
             * @example 1000000
             */
            lastValidBlockHeight: string | null;
            /** @description What the transaction may do. */
            policy: {
                /** @description Programs that the transaction may call; empty if it may call any. */
                allowedPrograms: string[];
                /**
                 * @description Maximum micro-lamports per compute unit; null if there is no maximum.
                 * @example 1000000
                 */
                maxComputeUnitPrice: string | null;
                /** @description Whether a simulation must succeed first. */
                requireSimulation: boolean;
                /** @description The payment to an integrator that the transaction must make; absent if there is none. */
                platformFee?: {
                    /**
                     * @description Account that gets the payment.
                     * @example So11111111111111111111111111111111111111112
                     */
                    account: string;
                    /**
                     * @description Lamports that the integrator gets.
                     * @example 1000000
                     */
                    lamports: string;
                };
            };
            /**
             * @description Addresses to which it is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
             * @enum {string}
             */
            route: "fast" | "protected";
            /** @description Level that set its priority fee; null if no level did. */
            priorityLevel: ("min" | "low" | "medium" | "high" | "veryHigh") | null;
            /** @description Signature of the transaction on chain; null until it was sent. */
            transactionSignature: string | null;
            /**
             * @description Token that the transaction trades or creates; null if it is of no swap or launch.
             * @example So11111111111111111111111111111111111111112
             */
            mintAddress: string | null;
            /**
             * Format: uuid
             * @description The launch to which it belongs; null if there is none.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            launchId: string | null;
            /** @description The quote of the swap; null if the transaction is no swap. */
            quote: {
                /**
                 * @description Whether the token is bought or sold.
                 * @enum {string}
                 */
                side: "buy" | "sell";
                /**
                 * @description Which side of the swap was fixed.
                 * @enum {string}
                 */
                mode: "exact-in" | "exact-out";
                /**
                 * @description Mint of the token that the wallet pays with.
                 * @example So11111111111111111111111111111111111111112
                 */
                inputMint: string;
                /**
                 * @description Mint of the token that the wallet gets.
                 * @example So11111111111111111111111111111111111111112
                 */
                outputMint: string;
                /**
                 * @description Quoted input, in raw units.
                 * @example 1000000
                 */
                inputRaw: string;
                /**
                 * @description Quoted output, in raw units.
                 * @example 1000000
                 */
                outputRaw: string;
                /** @description How much worse than quoted the swap may become, in basis points; null if the request had a `limitRaw`. */
                slippageBps: number | null;
                /**
                 * @description Minimum output with `exact-in`, in raw units; null with `exact-out`.
                 * @example 1000000
                 */
                minimumOutputRaw: string | null;
                /**
                 * @description Maximum input with `exact-out`, in raw units; null with `exact-in`.
                 * @example 1000000
                 */
                maximumInputRaw: string | null;
                /**
                 * @description Slot of the accounts that were quoted.
                 * @example 1000000
                 */
                slot: string;
            } | null;
            /** @description What the transaction did in its block; null until that is known, and after a fork has dropped the block. */
            landed: {
                /**
                 * @description Slot of the block.
                 * @example 1000000
                 */
                slot: string;
                /**
                 * Format: date-time
                 * @description Time of the block; null if the node has none.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                blockTime: string | null;
                /** @description Position among the transactions of the block, from 0; null if the node does not report it. */
                indexInBlock: number | null;
                /** @description Whether the chain executed it without an error. */
                succeeded: boolean;
                /**
                 * @description Fee of the transaction, including the priority fee.
                 * @example 1000000
                 */
                feeLamports: string;
                /**
                 * @description Compute units used; null if the node does not report them.
                 * @example 1000000
                 */
                computeUnits: string | null;
                /**
                 * @description Tip that it paid to a landing service, in addition to the fee; null if the transaction is of no swap or launch.
                 * @example 1000000
                 */
                tipLamports: string | null;
                /** @description Changes of the wallet that signed. */
                changes: {
                    /**
                     * @description Change of its lamports, including fee and tip.
                     * @example -1000000
                     */
                    lamports: string;
                    /** @description Token balances of the wallet that changed. */
                    tokens: {
                        /**
                         * @description Mint of the token.
                         * @example So11111111111111111111111111111111111111112
                         */
                        mintAddress: string;
                        /**
                         * @description Change of the balance, in raw units.
                         * @example -1000000
                         */
                        changeRaw: string;
                    }[];
                };
                /**
                 * @description Amount that the wallet paid in a swap, in raw units, without fee, tip and rent; null if the transaction is no swap, or failed.
                 * @example 1000000
                 */
                inputRaw: string | null;
                /**
                 * @description Amount that the wallet received in a swap, in raw units; null if the transaction is no swap, or failed.
                 * @example 1000000
                 */
                outputRaw: string | null;
                /**
                 * @description Price of a whole token that this swap paid (the fill), including the fees of the pool and the platform; null if there is no fill. It is not the market price, which other records name `priceInSol` too.
                 * @example 0.000000029295
                 */
                priceInSol: string | null;
                /** @description How much better (positive) or worse (negative) the swap was than quoted, in basis points of the quoted amount; null if the transaction is no swap. */
                quoteDifferenceBps: number | null;
            } | null;
            /** @description How far the block is settled: `confirmed`, `finalized`, or `reverted` when a fork dropped it; null while nothing has landed. */
            finality: ("confirmed" | "finalized" | "reverted") | null;
            /** @description Why it failed; null if it did not fail. */
            error: {
                /**
                 * @description Stable identifier. Branch on it.
                 * @enum {string}
                 */
                code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                /** @description What happened, in a sentence. Its wording may change. */
                detail: string;
            } | null;
            /** @description Version of the record, for `If-Match`. */
            version: number;
            /**
             * Format: date-time
             * @description When it expires.
             * @example 2026-11-20T10:00:00.000Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string | null;
            /**
             * Format: date-time
             * @description When it was submitted; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            submittedAt: string | null;
            /**
             * Format: date-time
             * @description When it ended; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            completedAt: string | null;
        };
        WalletHoldings: {
            /**
             * Format: date-time
             * @description When this was observed.
             * @example 2026-11-20T10:00:00.000Z
             */
            asOf: string;
            /** @description Tokens of the wallet, the most valuable first. */
            data: {
                /**
                 * @description Mint of the token.
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAddress: string;
                /** @description Name of the token. */
                name: string;
                /** @description Ticker of the token. */
                symbol: string;
                /** @description Address of the picture; null if there is none. */
                imageUrl: string | null;
                /** @description Decimal places of the mint. */
                decimals: number;
                /**
                 * @description Amount in raw units.
                 * @example 1000000
                 */
                amountRaw: string;
                /**
                 * @description Exact product of the amount in whole tokens and the published price; null if there is no price.
                 * @example 0.000000029295
                 */
                valueInSol: string | null;
            }[];
        };
        WebhookAttempt: {
            /** @description Number of the attempt, counted from 1. */
            attemptNumber: number;
            /**
             * Format: date-time
             * @description When the attempt began.
             * @example 2026-11-20T10:00:00.000Z
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When the attempt ended; null while it is unknown.
             * @example 2026-11-20T10:00:00.000Z
             */
            finishedAt: string | null;
            /**
             * @description How the attempt ended.
             * @enum {string}
             */
            outcome: "succeeded" | "failed" | "unknown";
            /** @description Why the attempt failed; null if it did not fail. */
            errorCode: string | null;
            /** @description Cause of `network_error`, `dns_error`, `tls_error` and `url_disallowed`; null for other codes. */
            reason: ("connection_refused" | "connection_timed_out" | "host_unreachable" | "connection_reset" | "connection_closed" | "response_malformed" | "response_truncated" | "response_headers_too_large" | "too_many_interim_responses" | "protocol_switched" | "event_missing" | "other" | "no_address" | "look_up_timed_out" | "look_up_not_made" | "certificate_out_of_date" | "certificate_for_other_name" | "certificate_not_trusted" | "handshake_failed" | "url_invalid" | "url_too_long" | "scheme_not_allowed" | "userinfo_not_allowed" | "fragment_not_allowed" | "port_not_allowed" | "host_not_public" | "address_not_public" | "address_not_admitted" | "location_invalid") | null;
            /** @description The request that failed or was refused; null after a success or an unknown outcome, and if nothing was sent. */
            failedHop: {
                /** @description 0 for the URL of the endpoint; otherwise the number of the redirect. */
                redirect: number;
                /** @description Scheme, host and port. */
                origin: string;
            } | null;
            /** @description HTTP status of the response; null if there was none. */
            responseStatus: number | null;
            /** @description Redirects that were followed. */
            redirectCount: number | null;
            /** @description How long each step of the attempt took; null for a step that was not reached, or not needed because a connection was open. */
            phases: {
                /** @description Milliseconds to look up the name. */
                dnsMs: number | null;
                /** @description Milliseconds to connect. */
                connectMs: number | null;
                /** @description Milliseconds for the TLS handshake. */
                tlsMs: number | null;
                /** @description Milliseconds until the first byte of the response. */
                firstByteMs: number | null;
                /** @description Milliseconds of the whole attempt. */
                totalMs: number | null;
            };
            /** @description The first 1 KiB of the response, as UTF-8; null if there was none, and for a key that may not read the event. */
            responseStart: string | null;
        };
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /**
             * Format: uuid
             * @description The webhook endpoint.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            endpointId: string;
            /**
             * Format: uuid
             * @description Id of the event: `webhook-id` of the request.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            eventId: string;
            /** @description Type of the event. */
            eventType: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "pending" | "processing" | "succeeded" | "retrying" | "dead_letter";
            /** @description Number of attempts so far. */
            attemptCount: number;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed.
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When the endpoint accepted it; null until then.
             * @example 2026-11-20T10:00:00.000Z
             */
            deliveredAt: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; null if none is. It is not due before a pause of the endpoint ends.
             * @example 2026-11-20T10:00:00.000Z
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description No attempt is made before this time, because a response asked for a pause; null if there is no pause.
             * @example 2026-11-20T10:00:00.000Z
             */
            pausedUntil: string | null;
            /** @description The response that asked for the pause with `Retry-After`: `http_429` or `http_503`. */
            pauseReason: ("http_429" | "http_503") | null;
            /** @description Why the last attempt failed; null if it did not fail. */
            lastErrorCode: string | null;
            /** @description HTTP status of the response; null if there was none. */
            responseStatus: number | null;
        };
        WebhookEndpoint: {
            /**
             * Format: uuid
             * @description Identifies the record.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            id: string;
            /** @description Address to which deliveries are sent: https, on the public internet. */
            url: string;
            /** @description Your description; null if there is none. */
            description: string | null;
            /** @description Event types, prefixes that end in `.*`, or `*`. */
            eventTypes: string[];
            /** @description Only events about these mints and ids are sent; null for all events. At most 100, or 1,000 wallets and mints if `eventTypes` has only trades. */
            subjects: string[] | null;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "enabled" | "disabled";
            /** @description Why the endpoint is disabled; null if it is not. */
            disabledReason: ("manual" | "gone" | "failing") | null;
            /**
             * Format: date-time
             * @description When the secret was last replaced.
             * @example 2026-11-20T10:00:00.000Z
             */
            secretRotatedAt: string;
            /**
             * Format: date-time
             * @description Until when the previous secret signs as well; null if there is none.
             * @example 2026-11-20T10:00:00.000Z
             */
            previousSecretExpiresAt: string | null;
            /** @description Version of the record, for `If-Match`. */
            version: number;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2026-11-20T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed.
             * @example 2026-11-20T10:00:00.000Z
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description No attempt is made before this time, because a response asked for a pause; null if there is no pause.
             * @example 2026-11-20T10:00:00.000Z
             */
            pausedUntil: string | null;
            /** @description The response that asked for the pause with `Retry-After`: `http_429` or `http_503`. */
            pauseReason: ("http_429" | "http_503") | null;
            /** @description Entries of `eventTypes` and `subjects` that no event can match, because of each other or of the scopes of the key that created the endpoint. */
            warnings: {
                /** @description JSON Pointer to the entry: `/eventTypes/1`. */
                path: string;
                /** @description Why no event matches the entry. */
                message: string;
            }[];
            /** @description The `kid` of each Ed25519 key that signs for this endpoint alone, newest first; read at `/.well-known/webhook-public-keys/{id}`. */
            signingKeyIds: string[];
        };
        WebhookPing: {
            /**
             * Format: uuid
             * @description The webhook endpoint.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            endpointId: string;
            /**
             * Format: uuid
             * @description Id of the event: `webhook-id` of the request.
             * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
             */
            eventId: string;
        };
        /** @description Figures of the window. */
        WindowStats: {
            /**
             * Format: date-time
             * @description Start of the window, a whole minute, included.
             * @example 2026-11-20T10:00:00.000Z
             */
            from: string;
            /** @description Trades in the window. */
            tradeCount: number;
            /** @description Number of buys. */
            buyCount: number;
            /** @description Number of sells. */
            sellCount: number;
            /** @description Number of distinct wallets that bought; null while they are being counted. */
            buyerCount: number | null;
            /** @description Number of distinct wallets that sold; null while they are being counted. */
            sellerCount: number | null;
            /**
             * @description SOL traded.
             * @example 0.000000029295
             */
            volumeInSol: string;
            /**
             * @description Whole tokens traded.
             * @example 0.000000029295
             */
            volumeInToken: string;
            /**
             * @description SOL that buyers paid.
             * @example 0.000000029295
             */
            buyVolumeInSol: string;
            /**
             * @description SOL that sellers received.
             * @example 0.000000029295
             */
            sellVolumeInSol: string;
            /**
             * @description Last price of the pool before the window. If there is none, the first price in the window.
             * @example 0.000000029295
             */
            open: string | null;
            /**
             * @description Highest price in the window. If there was no trade, the same as `open`.
             * @example 0.000000029295
             */
            high: string | null;
            /**
             * @description Lowest price in the window. If there was no trade, the same as `open`.
             * @example 0.000000029295
             */
            low: string | null;
            /**
             * @description Last price of the pool; null before the first trade.
             * @example 0.000000029295
             */
            close: string | null;
            /**
             * @description Change from `open` to `close`, in percent, cut off after six fractional digits; null if `open` is not above zero.
             * @example -0.25
             */
            priceChangePercent: string | null;
        };
        Problem: {
            /** @description Address of the page that explains the code. */
            type: string;
            /** @description The problem in a few words. Its wording may change. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What happened, in a sentence. Its wording may change. */
            detail: string;
            /** @description Path of the request, at most its first 512 characters. */
            instance: string;
            code: components["schemas"]["ProblemCode"];
            /** @description The same as the header `X-Request-Id`. Name it when you ask for support. */
            requestId: string;
            /** @description Every invalid field of the part that failed. */
            errors?: {
                /**
                 * @description JSON Pointer into the request, which begins with `/path`, `/query`, `/header` or `/body`.
                 * @example /body/url
                 */
                path: string;
                /**
                 * @description Stable identifier. Branch on it.
                 * @enum {string}
                 */
                code: "required" | "invalid_type" | "invalid_format" | "invalid_value" | "out_of_range" | "too_short" | "too_long" | "unknown_field";
                /**
                 * @description What was expected.
                 * @example is required
                 */
                message: string;
            }[];
            /** @description Facts about this occurrence. */
            context?: {
                [key: string]: unknown;
            };
            /** @description Other failures that the same check found. */
            causes?: {
                /** @description Stable identifier. Branch on it. */
                code: string;
                /** @description The problem in a few words. Its wording may change. */
                title: string;
                /** @description What happened, in a sentence. Its wording may change. */
                detail: string;
                /** @description Facts about this occurrence. */
                context?: {
                    [key: string]: unknown;
                };
            }[];
        };
        /** @enum {string} */
        ProblemCode: "api_dependency_unavailable" | "api_key_not_found" | "chain_unavailable" | "creator_transfer_refused" | "cursor_invalid" | "event_not_found" | "fee_claims_empty" | "fee_claims_refused" | "fee_state_not_found" | "holder_stats_not_found" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_request_in_progress" | "identity_unavailable" | "image_invalid" | "image_limit_reached" | "images_unavailable" | "insufficient_scope" | "internal_error" | "invalid_api_key" | "landing_report_range_invalid" | "launch_buy_out_of_range" | "launch_config_not_found" | "launch_limit_reached" | "launch_not_found" | "launch_refused" | "launches_unavailable" | "malformed_json" | "manifest_unavailable" | "market_data_unavailable" | "market_time_range_invalid" | "nonce_account_unusable" | "operation_limit_reached" | "operation_not_cancellable" | "operation_not_found" | "order_limit_reached" | "order_nonce_spent" | "order_not_cancellable" | "order_not_found" | "order_not_unsigned" | "order_slot_exists" | "order_slot_in_use" | "order_slot_limit_reached" | "order_slot_not_found" | "order_slot_not_ready" | "order_slot_refused" | "orders_unavailable" | "platform_fee_account_missing" | "platform_fee_account_unusable" | "precondition_failed" | "precondition_invalid" | "precondition_required" | "prediction_already_submitted" | "prediction_authorization_invalid" | "prediction_balance_unavailable" | "prediction_exact_values_locked" | "prediction_insufficient_balance" | "prediction_intent_consumed" | "prediction_intent_expired" | "prediction_intent_not_found" | "prediction_not_found" | "prediction_price_out_of_range" | "prediction_round_not_found" | "prediction_round_not_open" | "prediction_token_not_enabled" | "prediction_username_required" | "prediction_wallet_mismatch" | "prediction_wallet_not_verified" | "presale_not_found" | "presale_participation_not_found" | "rate_limit_exceeded" | "rate_limit_unavailable" | "request_body_too_large" | "send_route_unavailable" | "staking_pool_not_found" | "stream_limit_reached" | "swap_amount_out_of_range" | "swap_quote_outdated" | "swap_refused" | "token_index_unavailable" | "token_not_found" | "token_not_tradable" | "transaction_intent_expired" | "transaction_intent_invalid_signature" | "transaction_intent_not_found" | "transaction_intent_not_prepared" | "transaction_intent_tampered" | "transaction_intent_version_conflict" | "transaction_intent_wrong_signer" | "unsupported_content_type" | "validation_failed" | "webhook_delivery_not_found" | "webhook_delivery_not_replayable" | "webhook_delivery_not_retrying" | "webhook_delivery_replay_limit_reached" | "webhook_endpoint_disabled" | "webhook_endpoint_limit_reached" | "webhook_endpoint_not_found" | "webhook_url_disallowed";
        EventData: {
            "build.service.launch.created.v1": components["schemas"]["LaunchedToken"];
            "build.service.launch.graduated.v1": components["schemas"]["Token"];
            "build.service.launch.failed.v1": components["schemas"]["Token"];
            "build.service.token.curve_completed.v1": components["schemas"]["Token"];
            "build.service.token.creator_changed.v1": components["schemas"]["CreatorChange"];
            "build.service.wallet.traded.v1": components["schemas"]["Trade"];
            "build.service.token.traded.v1": components["schemas"]["Trade"];
            "build.service.presale.opened.v1": components["schemas"]["Presale"];
            "build.service.presale.settled.v1": components["schemas"]["Presale"];
            "build.service.presale.failed.v1": components["schemas"]["Presale"];
            "build.service.prediction_round.opened.v1": components["schemas"]["PredictionRound"];
            "build.service.prediction_round.locked.v1": components["schemas"]["PredictionRound"];
            "build.service.prediction_round.settled.v1": components["schemas"]["PredictionRound"];
            "build.service.prediction_round.voided.v1": components["schemas"]["PredictionRound"];
            "build.service.prediction.submitted.v1": components["schemas"]["Prediction"];
            "build.service.fee_distribution.completed.v1": components["schemas"]["FeeDistribution"];
            "build.service.fees.claimed.v1": components["schemas"]["FeesClaimed"];
            "build.service.operation.succeeded.v1": components["schemas"]["Operation"];
            "build.service.operation.failed.v1": components["schemas"]["Operation"];
            "build.service.operation.cancelled.v1": components["schemas"]["Operation"];
            /** @description A transaction that was prepared for a wallet to sign, and its outcome. */
            "build.service.transaction_intent.prepared.v1": {
                /**
                 * Format: uuid
                 * @description Identifies the record.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /** @description Purpose of the transaction. */
                kind: string;
                /**
                 * @description State of the record.
                 * @enum {string}
                 */
                status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
                /**
                 * @description The wallet that must sign.
                 * @example So11111111111111111111111111111111111111112
                 */
                expectedSigner: string;
                /** @description Blockhash of the transaction. */
                recentBlockhash: string | null;
                /**
                 * @description Block height above which the transaction certainly cannot land; null if none is known, as for a durable nonce.
                 * @example 1000000
                 */
                lastValidBlockHeight: string | null;
                /** @description What the transaction may do. */
                policy: {
                    /** @description Programs that the transaction may call; empty if it may call any. */
                    allowedPrograms: string[];
                    /**
                     * @description Maximum micro-lamports per compute unit; null if there is no maximum.
                     * @example 1000000
                     */
                    maxComputeUnitPrice: string | null;
                    /** @description Whether a simulation must succeed first. */
                    requireSimulation: boolean;
                    /** @description The payment to an integrator that the transaction must make; absent if there is none. */
                    platformFee?: {
                        /**
                         * @description Account that gets the payment.
                         * @example So11111111111111111111111111111111111111112
                         */
                        account: string;
                        /**
                         * @description Lamports that the integrator gets.
                         * @example 1000000
                         */
                        lamports: string;
                    };
                };
                /**
                 * @description Addresses to which it is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
                 * @enum {string}
                 */
                route: "fast" | "protected";
                /** @description Level that set its priority fee; null if no level did. */
                priorityLevel: ("min" | "low" | "medium" | "high" | "veryHigh") | null;
                /** @description Signature of the transaction on chain; null until it was sent. */
                transactionSignature: string | null;
                /**
                 * @description Token that the transaction trades or creates; null if it is of no swap or launch.
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAddress: string | null;
                /**
                 * Format: uuid
                 * @description The launch to which it belongs; null if there is none.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                launchId: string | null;
                /** @description The quote of the swap; null if the transaction is no swap. */
                quote: {
                    /**
                     * @description Whether the token is bought or sold.
                     * @enum {string}
                     */
                    side: "buy" | "sell";
                    /**
                     * @description Which side of the swap was fixed.
                     * @enum {string}
                     */
                    mode: "exact-in" | "exact-out";
                    /**
                     * @description Mint of the token that the wallet pays with.
                     * @example So11111111111111111111111111111111111111112
                     */
                    inputMint: string;
                    /**
                     * @description Mint of the token that the wallet gets.
                     * @example So11111111111111111111111111111111111111112
                     */
                    outputMint: string;
                    /**
                     * @description Quoted input, in raw units.
                     * @example 1000000
                     */
                    inputRaw: string;
                    /**
                     * @description Quoted output, in raw units.
                     * @example 1000000
                     */
                    outputRaw: string;
                    /** @description How much worse than quoted the swap may become, in basis points; null if the request had a `limitRaw`. */
                    slippageBps: number | null;
                    /**
                     * @description Minimum output with `exact-in`, in raw units; null with `exact-out`.
                     * @example 1000000
                     */
                    minimumOutputRaw: string | null;
                    /**
                     * @description Maximum input with `exact-out`, in raw units; null with `exact-in`.
                     * @example 1000000
                     */
                    maximumInputRaw: string | null;
                    /**
                     * @description Slot of the accounts that were quoted.
                     * @example 1000000
                     */
                    slot: string;
                } | null;
                /** @description What the transaction did in its block; null until that is known, and after a fork has dropped the block. */
                landed: {
                    /**
                     * @description Slot of the block.
                     * @example 1000000
                     */
                    slot: string;
                    /**
                     * Format: date-time
                     * @description Time of the block; null if the node has none.
                     * @example 2026-11-20T10:00:00.000Z
                     */
                    blockTime: string | null;
                    /** @description Position among the transactions of the block, from 0; null if the node does not report it. */
                    indexInBlock: number | null;
                    /** @description Whether the chain executed it without an error. */
                    succeeded: boolean;
                    /**
                     * @description Fee of the transaction, including the priority fee.
                     * @example 1000000
                     */
                    feeLamports: string;
                    /**
                     * @description Compute units used; null if the node does not report them.
                     * @example 1000000
                     */
                    computeUnits: string | null;
                    /**
                     * @description Tip that it paid to a landing service, in addition to the fee; null if the transaction is of no swap or launch.
                     * @example 1000000
                     */
                    tipLamports: string | null;
                    /** @description Changes of the wallet that signed. */
                    changes: {
                        /**
                         * @description Change of its lamports, including fee and tip.
                         * @example -1000000
                         */
                        lamports: string;
                        /** @description Token balances of the wallet that changed. */
                        tokens: {
                            /**
                             * @description Mint of the token.
                             * @example So11111111111111111111111111111111111111112
                             */
                            mintAddress: string;
                            /**
                             * @description Change of the balance, in raw units.
                             * @example -1000000
                             */
                            changeRaw: string;
                        }[];
                    };
                    /**
                     * @description Amount that the wallet paid in a swap, in raw units, without fee, tip and rent; null if the transaction is no swap, or failed.
                     * @example 1000000
                     */
                    inputRaw: string | null;
                    /**
                     * @description Amount that the wallet received in a swap, in raw units; null if the transaction is no swap, or failed.
                     * @example 1000000
                     */
                    outputRaw: string | null;
                    /**
                     * @description Price of a whole token that this swap paid (the fill), including the fees of the pool and the platform; null if there is no fill. It is not the market price, which other records name `priceInSol` too.
                     * @example 0.000000029295
                     */
                    priceInSol: string | null;
                    /** @description How much better (positive) or worse (negative) the swap was than quoted, in basis points of the quoted amount; null if the transaction is no swap. */
                    quoteDifferenceBps: number | null;
                } | null;
                /** @description How far the block is settled: `confirmed`, `finalized`, or `reverted` when a fork dropped it; null while nothing has landed. */
                finality: ("confirmed" | "finalized" | "reverted") | null;
                /** @description Why it failed; null if it did not fail. */
                error: {
                    /**
                     * @description Stable identifier. Branch on it.
                     * @enum {string}
                     */
                    code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                    /** @description What happened, in a sentence. Its wording may change. */
                    detail: string;
                } | null;
                /** @description Version of the record, for `If-Match`. */
                version: number;
                /**
                 * Format: date-time
                 * @description When it expires.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string | null;
                /**
                 * Format: date-time
                 * @description When it was submitted; null until then.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string | null;
                /**
                 * Format: date-time
                 * @description When it ended; null until then.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                completedAt: string | null;
            };
            /** @description A transaction that was prepared for a wallet to sign, and its outcome. */
            "build.service.transaction_intent.submitted.v1": {
                /**
                 * Format: uuid
                 * @description Identifies the record.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /** @description Purpose of the transaction. */
                kind: string;
                /**
                 * @description State of the record.
                 * @enum {string}
                 */
                status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
                /**
                 * @description The wallet that must sign.
                 * @example So11111111111111111111111111111111111111112
                 */
                expectedSigner: string;
                /** @description Blockhash of the transaction. */
                recentBlockhash: string | null;
                /**
                 * @description Block height above which the transaction certainly cannot land; null if none is known, as for a durable nonce.
                 * @example 1000000
                 */
                lastValidBlockHeight: string | null;
                /** @description What the transaction may do. */
                policy: {
                    /** @description Programs that the transaction may call; empty if it may call any. */
                    allowedPrograms: string[];
                    /**
                     * @description Maximum micro-lamports per compute unit; null if there is no maximum.
                     * @example 1000000
                     */
                    maxComputeUnitPrice: string | null;
                    /** @description Whether a simulation must succeed first. */
                    requireSimulation: boolean;
                    /** @description The payment to an integrator that the transaction must make; absent if there is none. */
                    platformFee?: {
                        /**
                         * @description Account that gets the payment.
                         * @example So11111111111111111111111111111111111111112
                         */
                        account: string;
                        /**
                         * @description Lamports that the integrator gets.
                         * @example 1000000
                         */
                        lamports: string;
                    };
                };
                /**
                 * @description Addresses to which it is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
                 * @enum {string}
                 */
                route: "fast" | "protected";
                /** @description Level that set its priority fee; null if no level did. */
                priorityLevel: ("min" | "low" | "medium" | "high" | "veryHigh") | null;
                /** @description Signature of the transaction on chain; null until it was sent. */
                transactionSignature: string | null;
                /**
                 * @description Token that the transaction trades or creates; null if it is of no swap or launch.
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAddress: string | null;
                /**
                 * Format: uuid
                 * @description The launch to which it belongs; null if there is none.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                launchId: string | null;
                /** @description The quote of the swap; null if the transaction is no swap. */
                quote: {
                    /**
                     * @description Whether the token is bought or sold.
                     * @enum {string}
                     */
                    side: "buy" | "sell";
                    /**
                     * @description Which side of the swap was fixed.
                     * @enum {string}
                     */
                    mode: "exact-in" | "exact-out";
                    /**
                     * @description Mint of the token that the wallet pays with.
                     * @example So11111111111111111111111111111111111111112
                     */
                    inputMint: string;
                    /**
                     * @description Mint of the token that the wallet gets.
                     * @example So11111111111111111111111111111111111111112
                     */
                    outputMint: string;
                    /**
                     * @description Quoted input, in raw units.
                     * @example 1000000
                     */
                    inputRaw: string;
                    /**
                     * @description Quoted output, in raw units.
                     * @example 1000000
                     */
                    outputRaw: string;
                    /** @description How much worse than quoted the swap may become, in basis points; null if the request had a `limitRaw`. */
                    slippageBps: number | null;
                    /**
                     * @description Minimum output with `exact-in`, in raw units; null with `exact-out`.
                     * @example 1000000
                     */
                    minimumOutputRaw: string | null;
                    /**
                     * @description Maximum input with `exact-out`, in raw units; null with `exact-in`.
                     * @example 1000000
                     */
                    maximumInputRaw: string | null;
                    /**
                     * @description Slot of the accounts that were quoted.
                     * @example 1000000
                     */
                    slot: string;
                } | null;
                /** @description What the transaction did in its block; null until that is known, and after a fork has dropped the block. */
                landed: {
                    /**
                     * @description Slot of the block.
                     * @example 1000000
                     */
                    slot: string;
                    /**
                     * Format: date-time
                     * @description Time of the block; null if the node has none.
                     * @example 2026-11-20T10:00:00.000Z
                     */
                    blockTime: string | null;
                    /** @description Position among the transactions of the block, from 0; null if the node does not report it. */
                    indexInBlock: number | null;
                    /** @description Whether the chain executed it without an error. */
                    succeeded: boolean;
                    /**
                     * @description Fee of the transaction, including the priority fee.
                     * @example 1000000
                     */
                    feeLamports: string;
                    /**
                     * @description Compute units used; null if the node does not report them.
                     * @example 1000000
                     */
                    computeUnits: string | null;
                    /**
                     * @description Tip that it paid to a landing service, in addition to the fee; null if the transaction is of no swap or launch.
                     * @example 1000000
                     */
                    tipLamports: string | null;
                    /** @description Changes of the wallet that signed. */
                    changes: {
                        /**
                         * @description Change of its lamports, including fee and tip.
                         * @example -1000000
                         */
                        lamports: string;
                        /** @description Token balances of the wallet that changed. */
                        tokens: {
                            /**
                             * @description Mint of the token.
                             * @example So11111111111111111111111111111111111111112
                             */
                            mintAddress: string;
                            /**
                             * @description Change of the balance, in raw units.
                             * @example -1000000
                             */
                            changeRaw: string;
                        }[];
                    };
                    /**
                     * @description Amount that the wallet paid in a swap, in raw units, without fee, tip and rent; null if the transaction is no swap, or failed.
                     * @example 1000000
                     */
                    inputRaw: string | null;
                    /**
                     * @description Amount that the wallet received in a swap, in raw units; null if the transaction is no swap, or failed.
                     * @example 1000000
                     */
                    outputRaw: string | null;
                    /**
                     * @description Price of a whole token that this swap paid (the fill), including the fees of the pool and the platform; null if there is no fill. It is not the market price, which other records name `priceInSol` too.
                     * @example 0.000000029295
                     */
                    priceInSol: string | null;
                    /** @description How much better (positive) or worse (negative) the swap was than quoted, in basis points of the quoted amount; null if the transaction is no swap. */
                    quoteDifferenceBps: number | null;
                } | null;
                /** @description How far the block is settled: `confirmed`, `finalized`, or `reverted` when a fork dropped it; null while nothing has landed. */
                finality: ("confirmed" | "finalized" | "reverted") | null;
                /** @description Why it failed; null if it did not fail. */
                error: {
                    /**
                     * @description Stable identifier. Branch on it.
                     * @enum {string}
                     */
                    code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                    /** @description What happened, in a sentence. Its wording may change. */
                    detail: string;
                } | null;
                /** @description Version of the record, for `If-Match`. */
                version: number;
                /**
                 * Format: date-time
                 * @description When it expires.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string | null;
                /**
                 * Format: date-time
                 * @description When it was submitted; null until then.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string | null;
                /**
                 * Format: date-time
                 * @description When it ended; null until then.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                completedAt: string | null;
            };
            /** @description A transaction that was prepared for a wallet to sign, and its outcome. */
            "build.service.transaction_intent.confirmed.v1": {
                /**
                 * Format: uuid
                 * @description Identifies the record.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /** @description Purpose of the transaction. */
                kind: string;
                /**
                 * @description State of the record.
                 * @enum {string}
                 */
                status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
                /**
                 * @description The wallet that must sign.
                 * @example So11111111111111111111111111111111111111112
                 */
                expectedSigner: string;
                /** @description Blockhash of the transaction. */
                recentBlockhash: string | null;
                /**
                 * @description Block height above which the transaction certainly cannot land; null if none is known, as for a durable nonce.
                 * @example 1000000
                 */
                lastValidBlockHeight: string | null;
                /** @description What the transaction may do. */
                policy: {
                    /** @description Programs that the transaction may call; empty if it may call any. */
                    allowedPrograms: string[];
                    /**
                     * @description Maximum micro-lamports per compute unit; null if there is no maximum.
                     * @example 1000000
                     */
                    maxComputeUnitPrice: string | null;
                    /** @description Whether a simulation must succeed first. */
                    requireSimulation: boolean;
                    /** @description The payment to an integrator that the transaction must make; absent if there is none. */
                    platformFee?: {
                        /**
                         * @description Account that gets the payment.
                         * @example So11111111111111111111111111111111111111112
                         */
                        account: string;
                        /**
                         * @description Lamports that the integrator gets.
                         * @example 1000000
                         */
                        lamports: string;
                    };
                };
                /**
                 * @description Addresses to which it is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
                 * @enum {string}
                 */
                route: "fast" | "protected";
                /** @description Level that set its priority fee; null if no level did. */
                priorityLevel: ("min" | "low" | "medium" | "high" | "veryHigh") | null;
                /** @description Signature of the transaction on chain; null until it was sent. */
                transactionSignature: string | null;
                /**
                 * @description Token that the transaction trades or creates; null if it is of no swap or launch.
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAddress: string | null;
                /**
                 * Format: uuid
                 * @description The launch to which it belongs; null if there is none.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                launchId: string | null;
                /** @description The quote of the swap; null if the transaction is no swap. */
                quote: {
                    /**
                     * @description Whether the token is bought or sold.
                     * @enum {string}
                     */
                    side: "buy" | "sell";
                    /**
                     * @description Which side of the swap was fixed.
                     * @enum {string}
                     */
                    mode: "exact-in" | "exact-out";
                    /**
                     * @description Mint of the token that the wallet pays with.
                     * @example So11111111111111111111111111111111111111112
                     */
                    inputMint: string;
                    /**
                     * @description Mint of the token that the wallet gets.
                     * @example So11111111111111111111111111111111111111112
                     */
                    outputMint: string;
                    /**
                     * @description Quoted input, in raw units.
                     * @example 1000000
                     */
                    inputRaw: string;
                    /**
                     * @description Quoted output, in raw units.
                     * @example 1000000
                     */
                    outputRaw: string;
                    /** @description How much worse than quoted the swap may become, in basis points; null if the request had a `limitRaw`. */
                    slippageBps: number | null;
                    /**
                     * @description Minimum output with `exact-in`, in raw units; null with `exact-out`.
                     * @example 1000000
                     */
                    minimumOutputRaw: string | null;
                    /**
                     * @description Maximum input with `exact-out`, in raw units; null with `exact-in`.
                     * @example 1000000
                     */
                    maximumInputRaw: string | null;
                    /**
                     * @description Slot of the accounts that were quoted.
                     * @example 1000000
                     */
                    slot: string;
                } | null;
                /** @description What the transaction did in its block; null until that is known, and after a fork has dropped the block. */
                landed: {
                    /**
                     * @description Slot of the block.
                     * @example 1000000
                     */
                    slot: string;
                    /**
                     * Format: date-time
                     * @description Time of the block; null if the node has none.
                     * @example 2026-11-20T10:00:00.000Z
                     */
                    blockTime: string | null;
                    /** @description Position among the transactions of the block, from 0; null if the node does not report it. */
                    indexInBlock: number | null;
                    /** @description Whether the chain executed it without an error. */
                    succeeded: boolean;
                    /**
                     * @description Fee of the transaction, including the priority fee.
                     * @example 1000000
                     */
                    feeLamports: string;
                    /**
                     * @description Compute units used; null if the node does not report them.
                     * @example 1000000
                     */
                    computeUnits: string | null;
                    /**
                     * @description Tip that it paid to a landing service, in addition to the fee; null if the transaction is of no swap or launch.
                     * @example 1000000
                     */
                    tipLamports: string | null;
                    /** @description Changes of the wallet that signed. */
                    changes: {
                        /**
                         * @description Change of its lamports, including fee and tip.
                         * @example -1000000
                         */
                        lamports: string;
                        /** @description Token balances of the wallet that changed. */
                        tokens: {
                            /**
                             * @description Mint of the token.
                             * @example So11111111111111111111111111111111111111112
                             */
                            mintAddress: string;
                            /**
                             * @description Change of the balance, in raw units.
                             * @example -1000000
                             */
                            changeRaw: string;
                        }[];
                    };
                    /**
                     * @description Amount that the wallet paid in a swap, in raw units, without fee, tip and rent; null if the transaction is no swap, or failed.
                     * @example 1000000
                     */
                    inputRaw: string | null;
                    /**
                     * @description Amount that the wallet received in a swap, in raw units; null if the transaction is no swap, or failed.
                     * @example 1000000
                     */
                    outputRaw: string | null;
                    /**
                     * @description Price of a whole token that this swap paid (the fill), including the fees of the pool and the platform; null if there is no fill. It is not the market price, which other records name `priceInSol` too.
                     * @example 0.000000029295
                     */
                    priceInSol: string | null;
                    /** @description How much better (positive) or worse (negative) the swap was than quoted, in basis points of the quoted amount; null if the transaction is no swap. */
                    quoteDifferenceBps: number | null;
                } | null;
                /** @description How far the block is settled: `confirmed`, `finalized`, or `reverted` when a fork dropped it; null while nothing has landed. */
                finality: ("confirmed" | "finalized" | "reverted") | null;
                /** @description Why it failed; null if it did not fail. */
                error: {
                    /**
                     * @description Stable identifier. Branch on it.
                     * @enum {string}
                     */
                    code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                    /** @description What happened, in a sentence. Its wording may change. */
                    detail: string;
                } | null;
                /** @description Version of the record, for `If-Match`. */
                version: number;
                /**
                 * Format: date-time
                 * @description When it expires.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string | null;
                /**
                 * Format: date-time
                 * @description When it was submitted; null until then.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string | null;
                /**
                 * Format: date-time
                 * @description When it ended; null until then.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                completedAt: string | null;
            };
            /** @description A transaction that was prepared for a wallet to sign, and its outcome. */
            "build.service.transaction_intent.failed.v1": {
                /**
                 * Format: uuid
                 * @description Identifies the record.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /** @description Purpose of the transaction. */
                kind: string;
                /**
                 * @description State of the record.
                 * @enum {string}
                 */
                status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
                /**
                 * @description The wallet that must sign.
                 * @example So11111111111111111111111111111111111111112
                 */
                expectedSigner: string;
                /** @description Blockhash of the transaction. */
                recentBlockhash: string | null;
                /**
                 * @description Block height above which the transaction certainly cannot land; null if none is known, as for a durable nonce.
                 * @example 1000000
                 */
                lastValidBlockHeight: string | null;
                /** @description What the transaction may do. */
                policy: {
                    /** @description Programs that the transaction may call; empty if it may call any. */
                    allowedPrograms: string[];
                    /**
                     * @description Maximum micro-lamports per compute unit; null if there is no maximum.
                     * @example 1000000
                     */
                    maxComputeUnitPrice: string | null;
                    /** @description Whether a simulation must succeed first. */
                    requireSimulation: boolean;
                    /** @description The payment to an integrator that the transaction must make; absent if there is none. */
                    platformFee?: {
                        /**
                         * @description Account that gets the payment.
                         * @example So11111111111111111111111111111111111111112
                         */
                        account: string;
                        /**
                         * @description Lamports that the integrator gets.
                         * @example 1000000
                         */
                        lamports: string;
                    };
                };
                /**
                 * @description Addresses to which it is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
                 * @enum {string}
                 */
                route: "fast" | "protected";
                /** @description Level that set its priority fee; null if no level did. */
                priorityLevel: ("min" | "low" | "medium" | "high" | "veryHigh") | null;
                /** @description Signature of the transaction on chain; null until it was sent. */
                transactionSignature: string | null;
                /**
                 * @description Token that the transaction trades or creates; null if it is of no swap or launch.
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAddress: string | null;
                /**
                 * Format: uuid
                 * @description The launch to which it belongs; null if there is none.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                launchId: string | null;
                /** @description The quote of the swap; null if the transaction is no swap. */
                quote: {
                    /**
                     * @description Whether the token is bought or sold.
                     * @enum {string}
                     */
                    side: "buy" | "sell";
                    /**
                     * @description Which side of the swap was fixed.
                     * @enum {string}
                     */
                    mode: "exact-in" | "exact-out";
                    /**
                     * @description Mint of the token that the wallet pays with.
                     * @example So11111111111111111111111111111111111111112
                     */
                    inputMint: string;
                    /**
                     * @description Mint of the token that the wallet gets.
                     * @example So11111111111111111111111111111111111111112
                     */
                    outputMint: string;
                    /**
                     * @description Quoted input, in raw units.
                     * @example 1000000
                     */
                    inputRaw: string;
                    /**
                     * @description Quoted output, in raw units.
                     * @example 1000000
                     */
                    outputRaw: string;
                    /** @description How much worse than quoted the swap may become, in basis points; null if the request had a `limitRaw`. */
                    slippageBps: number | null;
                    /**
                     * @description Minimum output with `exact-in`, in raw units; null with `exact-out`.
                     * @example 1000000
                     */
                    minimumOutputRaw: string | null;
                    /**
                     * @description Maximum input with `exact-out`, in raw units; null with `exact-in`.
                     * @example 1000000
                     */
                    maximumInputRaw: string | null;
                    /**
                     * @description Slot of the accounts that were quoted.
                     * @example 1000000
                     */
                    slot: string;
                } | null;
                /** @description What the transaction did in its block; null until that is known, and after a fork has dropped the block. */
                landed: {
                    /**
                     * @description Slot of the block.
                     * @example 1000000
                     */
                    slot: string;
                    /**
                     * Format: date-time
                     * @description Time of the block; null if the node has none.
                     * @example 2026-11-20T10:00:00.000Z
                     */
                    blockTime: string | null;
                    /** @description Position among the transactions of the block, from 0; null if the node does not report it. */
                    indexInBlock: number | null;
                    /** @description Whether the chain executed it without an error. */
                    succeeded: boolean;
                    /**
                     * @description Fee of the transaction, including the priority fee.
                     * @example 1000000
                     */
                    feeLamports: string;
                    /**
                     * @description Compute units used; null if the node does not report them.
                     * @example 1000000
                     */
                    computeUnits: string | null;
                    /**
                     * @description Tip that it paid to a landing service, in addition to the fee; null if the transaction is of no swap or launch.
                     * @example 1000000
                     */
                    tipLamports: string | null;
                    /** @description Changes of the wallet that signed. */
                    changes: {
                        /**
                         * @description Change of its lamports, including fee and tip.
                         * @example -1000000
                         */
                        lamports: string;
                        /** @description Token balances of the wallet that changed. */
                        tokens: {
                            /**
                             * @description Mint of the token.
                             * @example So11111111111111111111111111111111111111112
                             */
                            mintAddress: string;
                            /**
                             * @description Change of the balance, in raw units.
                             * @example -1000000
                             */
                            changeRaw: string;
                        }[];
                    };
                    /**
                     * @description Amount that the wallet paid in a swap, in raw units, without fee, tip and rent; null if the transaction is no swap, or failed.
                     * @example 1000000
                     */
                    inputRaw: string | null;
                    /**
                     * @description Amount that the wallet received in a swap, in raw units; null if the transaction is no swap, or failed.
                     * @example 1000000
                     */
                    outputRaw: string | null;
                    /**
                     * @description Price of a whole token that this swap paid (the fill), including the fees of the pool and the platform; null if there is no fill. It is not the market price, which other records name `priceInSol` too.
                     * @example 0.000000029295
                     */
                    priceInSol: string | null;
                    /** @description How much better (positive) or worse (negative) the swap was than quoted, in basis points of the quoted amount; null if the transaction is no swap. */
                    quoteDifferenceBps: number | null;
                } | null;
                /** @description How far the block is settled: `confirmed`, `finalized`, or `reverted` when a fork dropped it; null while nothing has landed. */
                finality: ("confirmed" | "finalized" | "reverted") | null;
                /** @description Why it failed; null if it did not fail. */
                error: {
                    /**
                     * @description Stable identifier. Branch on it.
                     * @enum {string}
                     */
                    code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                    /** @description What happened, in a sentence. Its wording may change. */
                    detail: string;
                } | null;
                /** @description Version of the record, for `If-Match`. */
                version: number;
                /**
                 * Format: date-time
                 * @description When it expires.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string | null;
                /**
                 * Format: date-time
                 * @description When it was submitted; null until then.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string | null;
                /**
                 * Format: date-time
                 * @description When it ended; null until then.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                completedAt: string | null;
            };
            /** @description A transaction that was prepared for a wallet to sign, and its outcome. */
            "build.service.transaction_intent.expired.v1": {
                /**
                 * Format: uuid
                 * @description Identifies the record.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /** @description Purpose of the transaction. */
                kind: string;
                /**
                 * @description State of the record.
                 * @enum {string}
                 */
                status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
                /**
                 * @description The wallet that must sign.
                 * @example So11111111111111111111111111111111111111112
                 */
                expectedSigner: string;
                /** @description Blockhash of the transaction. */
                recentBlockhash: string | null;
                /**
                 * @description Block height above which the transaction certainly cannot land; null if none is known, as for a durable nonce.
                 * @example 1000000
                 */
                lastValidBlockHeight: string | null;
                /** @description What the transaction may do. */
                policy: {
                    /** @description Programs that the transaction may call; empty if it may call any. */
                    allowedPrograms: string[];
                    /**
                     * @description Maximum micro-lamports per compute unit; null if there is no maximum.
                     * @example 1000000
                     */
                    maxComputeUnitPrice: string | null;
                    /** @description Whether a simulation must succeed first. */
                    requireSimulation: boolean;
                    /** @description The payment to an integrator that the transaction must make; absent if there is none. */
                    platformFee?: {
                        /**
                         * @description Account that gets the payment.
                         * @example So11111111111111111111111111111111111111112
                         */
                        account: string;
                        /**
                         * @description Lamports that the integrator gets.
                         * @example 1000000
                         */
                        lamports: string;
                    };
                };
                /**
                 * @description Addresses to which it is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
                 * @enum {string}
                 */
                route: "fast" | "protected";
                /** @description Level that set its priority fee; null if no level did. */
                priorityLevel: ("min" | "low" | "medium" | "high" | "veryHigh") | null;
                /** @description Signature of the transaction on chain; null until it was sent. */
                transactionSignature: string | null;
                /**
                 * @description Token that the transaction trades or creates; null if it is of no swap or launch.
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAddress: string | null;
                /**
                 * Format: uuid
                 * @description The launch to which it belongs; null if there is none.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                launchId: string | null;
                /** @description The quote of the swap; null if the transaction is no swap. */
                quote: {
                    /**
                     * @description Whether the token is bought or sold.
                     * @enum {string}
                     */
                    side: "buy" | "sell";
                    /**
                     * @description Which side of the swap was fixed.
                     * @enum {string}
                     */
                    mode: "exact-in" | "exact-out";
                    /**
                     * @description Mint of the token that the wallet pays with.
                     * @example So11111111111111111111111111111111111111112
                     */
                    inputMint: string;
                    /**
                     * @description Mint of the token that the wallet gets.
                     * @example So11111111111111111111111111111111111111112
                     */
                    outputMint: string;
                    /**
                     * @description Quoted input, in raw units.
                     * @example 1000000
                     */
                    inputRaw: string;
                    /**
                     * @description Quoted output, in raw units.
                     * @example 1000000
                     */
                    outputRaw: string;
                    /** @description How much worse than quoted the swap may become, in basis points; null if the request had a `limitRaw`. */
                    slippageBps: number | null;
                    /**
                     * @description Minimum output with `exact-in`, in raw units; null with `exact-out`.
                     * @example 1000000
                     */
                    minimumOutputRaw: string | null;
                    /**
                     * @description Maximum input with `exact-out`, in raw units; null with `exact-in`.
                     * @example 1000000
                     */
                    maximumInputRaw: string | null;
                    /**
                     * @description Slot of the accounts that were quoted.
                     * @example 1000000
                     */
                    slot: string;
                } | null;
                /** @description What the transaction did in its block; null until that is known, and after a fork has dropped the block. */
                landed: {
                    /**
                     * @description Slot of the block.
                     * @example 1000000
                     */
                    slot: string;
                    /**
                     * Format: date-time
                     * @description Time of the block; null if the node has none.
                     * @example 2026-11-20T10:00:00.000Z
                     */
                    blockTime: string | null;
                    /** @description Position among the transactions of the block, from 0; null if the node does not report it. */
                    indexInBlock: number | null;
                    /** @description Whether the chain executed it without an error. */
                    succeeded: boolean;
                    /**
                     * @description Fee of the transaction, including the priority fee.
                     * @example 1000000
                     */
                    feeLamports: string;
                    /**
                     * @description Compute units used; null if the node does not report them.
                     * @example 1000000
                     */
                    computeUnits: string | null;
                    /**
                     * @description Tip that it paid to a landing service, in addition to the fee; null if the transaction is of no swap or launch.
                     * @example 1000000
                     */
                    tipLamports: string | null;
                    /** @description Changes of the wallet that signed. */
                    changes: {
                        /**
                         * @description Change of its lamports, including fee and tip.
                         * @example -1000000
                         */
                        lamports: string;
                        /** @description Token balances of the wallet that changed. */
                        tokens: {
                            /**
                             * @description Mint of the token.
                             * @example So11111111111111111111111111111111111111112
                             */
                            mintAddress: string;
                            /**
                             * @description Change of the balance, in raw units.
                             * @example -1000000
                             */
                            changeRaw: string;
                        }[];
                    };
                    /**
                     * @description Amount that the wallet paid in a swap, in raw units, without fee, tip and rent; null if the transaction is no swap, or failed.
                     * @example 1000000
                     */
                    inputRaw: string | null;
                    /**
                     * @description Amount that the wallet received in a swap, in raw units; null if the transaction is no swap, or failed.
                     * @example 1000000
                     */
                    outputRaw: string | null;
                    /**
                     * @description Price of a whole token that this swap paid (the fill), including the fees of the pool and the platform; null if there is no fill. It is not the market price, which other records name `priceInSol` too.
                     * @example 0.000000029295
                     */
                    priceInSol: string | null;
                    /** @description How much better (positive) or worse (negative) the swap was than quoted, in basis points of the quoted amount; null if the transaction is no swap. */
                    quoteDifferenceBps: number | null;
                } | null;
                /** @description How far the block is settled: `confirmed`, `finalized`, or `reverted` when a fork dropped it; null while nothing has landed. */
                finality: ("confirmed" | "finalized" | "reverted") | null;
                /** @description Why it failed; null if it did not fail. */
                error: {
                    /**
                     * @description Stable identifier. Branch on it.
                     * @enum {string}
                     */
                    code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                    /** @description What happened, in a sentence. Its wording may change. */
                    detail: string;
                } | null;
                /** @description Version of the record, for `If-Match`. */
                version: number;
                /**
                 * Format: date-time
                 * @description When it expires.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string | null;
                /**
                 * Format: date-time
                 * @description When it was submitted; null until then.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string | null;
                /**
                 * Format: date-time
                 * @description When it ended; null until then.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                completedAt: string | null;
            };
            /** @description A transaction that was prepared for a wallet to sign, and its outcome. */
            "build.service.transaction_intent.finalized.v1": {
                /**
                 * Format: uuid
                 * @description Identifies the record.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /** @description Purpose of the transaction. */
                kind: string;
                /**
                 * @description State of the record.
                 * @enum {string}
                 */
                status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
                /**
                 * @description The wallet that must sign.
                 * @example So11111111111111111111111111111111111111112
                 */
                expectedSigner: string;
                /** @description Blockhash of the transaction. */
                recentBlockhash: string | null;
                /**
                 * @description Block height above which the transaction certainly cannot land; null if none is known, as for a durable nonce.
                 * @example 1000000
                 */
                lastValidBlockHeight: string | null;
                /** @description What the transaction may do. */
                policy: {
                    /** @description Programs that the transaction may call; empty if it may call any. */
                    allowedPrograms: string[];
                    /**
                     * @description Maximum micro-lamports per compute unit; null if there is no maximum.
                     * @example 1000000
                     */
                    maxComputeUnitPrice: string | null;
                    /** @description Whether a simulation must succeed first. */
                    requireSimulation: boolean;
                    /** @description The payment to an integrator that the transaction must make; absent if there is none. */
                    platformFee?: {
                        /**
                         * @description Account that gets the payment.
                         * @example So11111111111111111111111111111111111111112
                         */
                        account: string;
                        /**
                         * @description Lamports that the integrator gets.
                         * @example 1000000
                         */
                        lamports: string;
                    };
                };
                /**
                 * @description Addresses to which it is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
                 * @enum {string}
                 */
                route: "fast" | "protected";
                /** @description Level that set its priority fee; null if no level did. */
                priorityLevel: ("min" | "low" | "medium" | "high" | "veryHigh") | null;
                /** @description Signature of the transaction on chain; null until it was sent. */
                transactionSignature: string | null;
                /**
                 * @description Token that the transaction trades or creates; null if it is of no swap or launch.
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAddress: string | null;
                /**
                 * Format: uuid
                 * @description The launch to which it belongs; null if there is none.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                launchId: string | null;
                /** @description The quote of the swap; null if the transaction is no swap. */
                quote: {
                    /**
                     * @description Whether the token is bought or sold.
                     * @enum {string}
                     */
                    side: "buy" | "sell";
                    /**
                     * @description Which side of the swap was fixed.
                     * @enum {string}
                     */
                    mode: "exact-in" | "exact-out";
                    /**
                     * @description Mint of the token that the wallet pays with.
                     * @example So11111111111111111111111111111111111111112
                     */
                    inputMint: string;
                    /**
                     * @description Mint of the token that the wallet gets.
                     * @example So11111111111111111111111111111111111111112
                     */
                    outputMint: string;
                    /**
                     * @description Quoted input, in raw units.
                     * @example 1000000
                     */
                    inputRaw: string;
                    /**
                     * @description Quoted output, in raw units.
                     * @example 1000000
                     */
                    outputRaw: string;
                    /** @description How much worse than quoted the swap may become, in basis points; null if the request had a `limitRaw`. */
                    slippageBps: number | null;
                    /**
                     * @description Minimum output with `exact-in`, in raw units; null with `exact-out`.
                     * @example 1000000
                     */
                    minimumOutputRaw: string | null;
                    /**
                     * @description Maximum input with `exact-out`, in raw units; null with `exact-in`.
                     * @example 1000000
                     */
                    maximumInputRaw: string | null;
                    /**
                     * @description Slot of the accounts that were quoted.
                     * @example 1000000
                     */
                    slot: string;
                } | null;
                /** @description What the transaction did in its block; null until that is known, and after a fork has dropped the block. */
                landed: {
                    /**
                     * @description Slot of the block.
                     * @example 1000000
                     */
                    slot: string;
                    /**
                     * Format: date-time
                     * @description Time of the block; null if the node has none.
                     * @example 2026-11-20T10:00:00.000Z
                     */
                    blockTime: string | null;
                    /** @description Position among the transactions of the block, from 0; null if the node does not report it. */
                    indexInBlock: number | null;
                    /** @description Whether the chain executed it without an error. */
                    succeeded: boolean;
                    /**
                     * @description Fee of the transaction, including the priority fee.
                     * @example 1000000
                     */
                    feeLamports: string;
                    /**
                     * @description Compute units used; null if the node does not report them.
                     * @example 1000000
                     */
                    computeUnits: string | null;
                    /**
                     * @description Tip that it paid to a landing service, in addition to the fee; null if the transaction is of no swap or launch.
                     * @example 1000000
                     */
                    tipLamports: string | null;
                    /** @description Changes of the wallet that signed. */
                    changes: {
                        /**
                         * @description Change of its lamports, including fee and tip.
                         * @example -1000000
                         */
                        lamports: string;
                        /** @description Token balances of the wallet that changed. */
                        tokens: {
                            /**
                             * @description Mint of the token.
                             * @example So11111111111111111111111111111111111111112
                             */
                            mintAddress: string;
                            /**
                             * @description Change of the balance, in raw units.
                             * @example -1000000
                             */
                            changeRaw: string;
                        }[];
                    };
                    /**
                     * @description Amount that the wallet paid in a swap, in raw units, without fee, tip and rent; null if the transaction is no swap, or failed.
                     * @example 1000000
                     */
                    inputRaw: string | null;
                    /**
                     * @description Amount that the wallet received in a swap, in raw units; null if the transaction is no swap, or failed.
                     * @example 1000000
                     */
                    outputRaw: string | null;
                    /**
                     * @description Price of a whole token that this swap paid (the fill), including the fees of the pool and the platform; null if there is no fill. It is not the market price, which other records name `priceInSol` too.
                     * @example 0.000000029295
                     */
                    priceInSol: string | null;
                    /** @description How much better (positive) or worse (negative) the swap was than quoted, in basis points of the quoted amount; null if the transaction is no swap. */
                    quoteDifferenceBps: number | null;
                } | null;
                /** @description How far the block is settled: `confirmed`, `finalized`, or `reverted` when a fork dropped it; null while nothing has landed. */
                finality: ("confirmed" | "finalized" | "reverted") | null;
                /** @description Why it failed; null if it did not fail. */
                error: {
                    /**
                     * @description Stable identifier. Branch on it.
                     * @enum {string}
                     */
                    code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                    /** @description What happened, in a sentence. Its wording may change. */
                    detail: string;
                } | null;
                /** @description Version of the record, for `If-Match`. */
                version: number;
                /**
                 * Format: date-time
                 * @description When it expires.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string | null;
                /**
                 * Format: date-time
                 * @description When it was submitted; null until then.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string | null;
                /**
                 * Format: date-time
                 * @description When it ended; null until then.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                completedAt: string | null;
            };
            /** @description A transaction that was prepared for a wallet to sign, and its outcome. */
            "build.service.transaction_intent.reverted.v1": {
                /**
                 * Format: uuid
                 * @description Identifies the record.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /** @description Purpose of the transaction. */
                kind: string;
                /**
                 * @description State of the record.
                 * @enum {string}
                 */
                status: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
                /**
                 * @description The wallet that must sign.
                 * @example So11111111111111111111111111111111111111112
                 */
                expectedSigner: string;
                /** @description Blockhash of the transaction. */
                recentBlockhash: string | null;
                /**
                 * @description Block height above which the transaction certainly cannot land; null if none is known, as for a durable nonce.
                 * @example 1000000
                 */
                lastValidBlockHeight: string | null;
                /** @description What the transaction may do. */
                policy: {
                    /** @description Programs that the transaction may call; empty if it may call any. */
                    allowedPrograms: string[];
                    /**
                     * @description Maximum micro-lamports per compute unit; null if there is no maximum.
                     * @example 1000000
                     */
                    maxComputeUnitPrice: string | null;
                    /** @description Whether a simulation must succeed first. */
                    requireSimulation: boolean;
                    /** @description The payment to an integrator that the transaction must make; absent if there is none. */
                    platformFee?: {
                        /**
                         * @description Account that gets the payment.
                         * @example So11111111111111111111111111111111111111112
                         */
                        account: string;
                        /**
                         * @description Lamports that the integrator gets.
                         * @example 1000000
                         */
                        lamports: string;
                    };
                };
                /**
                 * @description Addresses to which it is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
                 * @enum {string}
                 */
                route: "fast" | "protected";
                /** @description Level that set its priority fee; null if no level did. */
                priorityLevel: ("min" | "low" | "medium" | "high" | "veryHigh") | null;
                /** @description Signature of the transaction on chain; null until it was sent. */
                transactionSignature: string | null;
                /**
                 * @description Token that the transaction trades or creates; null if it is of no swap or launch.
                 * @example So11111111111111111111111111111111111111112
                 */
                mintAddress: string | null;
                /**
                 * Format: uuid
                 * @description The launch to which it belongs; null if there is none.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                launchId: string | null;
                /** @description The quote of the swap; null if the transaction is no swap. */
                quote: {
                    /**
                     * @description Whether the token is bought or sold.
                     * @enum {string}
                     */
                    side: "buy" | "sell";
                    /**
                     * @description Which side of the swap was fixed.
                     * @enum {string}
                     */
                    mode: "exact-in" | "exact-out";
                    /**
                     * @description Mint of the token that the wallet pays with.
                     * @example So11111111111111111111111111111111111111112
                     */
                    inputMint: string;
                    /**
                     * @description Mint of the token that the wallet gets.
                     * @example So11111111111111111111111111111111111111112
                     */
                    outputMint: string;
                    /**
                     * @description Quoted input, in raw units.
                     * @example 1000000
                     */
                    inputRaw: string;
                    /**
                     * @description Quoted output, in raw units.
                     * @example 1000000
                     */
                    outputRaw: string;
                    /** @description How much worse than quoted the swap may become, in basis points; null if the request had a `limitRaw`. */
                    slippageBps: number | null;
                    /**
                     * @description Minimum output with `exact-in`, in raw units; null with `exact-out`.
                     * @example 1000000
                     */
                    minimumOutputRaw: string | null;
                    /**
                     * @description Maximum input with `exact-out`, in raw units; null with `exact-in`.
                     * @example 1000000
                     */
                    maximumInputRaw: string | null;
                    /**
                     * @description Slot of the accounts that were quoted.
                     * @example 1000000
                     */
                    slot: string;
                } | null;
                /** @description What the transaction did in its block; null until that is known, and after a fork has dropped the block. */
                landed: {
                    /**
                     * @description Slot of the block.
                     * @example 1000000
                     */
                    slot: string;
                    /**
                     * Format: date-time
                     * @description Time of the block; null if the node has none.
                     * @example 2026-11-20T10:00:00.000Z
                     */
                    blockTime: string | null;
                    /** @description Position among the transactions of the block, from 0; null if the node does not report it. */
                    indexInBlock: number | null;
                    /** @description Whether the chain executed it without an error. */
                    succeeded: boolean;
                    /**
                     * @description Fee of the transaction, including the priority fee.
                     * @example 1000000
                     */
                    feeLamports: string;
                    /**
                     * @description Compute units used; null if the node does not report them.
                     * @example 1000000
                     */
                    computeUnits: string | null;
                    /**
                     * @description Tip that it paid to a landing service, in addition to the fee; null if the transaction is of no swap or launch.
                     * @example 1000000
                     */
                    tipLamports: string | null;
                    /** @description Changes of the wallet that signed. */
                    changes: {
                        /**
                         * @description Change of its lamports, including fee and tip.
                         * @example -1000000
                         */
                        lamports: string;
                        /** @description Token balances of the wallet that changed. */
                        tokens: {
                            /**
                             * @description Mint of the token.
                             * @example So11111111111111111111111111111111111111112
                             */
                            mintAddress: string;
                            /**
                             * @description Change of the balance, in raw units.
                             * @example -1000000
                             */
                            changeRaw: string;
                        }[];
                    };
                    /**
                     * @description Amount that the wallet paid in a swap, in raw units, without fee, tip and rent; null if the transaction is no swap, or failed.
                     * @example 1000000
                     */
                    inputRaw: string | null;
                    /**
                     * @description Amount that the wallet received in a swap, in raw units; null if the transaction is no swap, or failed.
                     * @example 1000000
                     */
                    outputRaw: string | null;
                    /**
                     * @description Price of a whole token that this swap paid (the fill), including the fees of the pool and the platform; null if there is no fill. It is not the market price, which other records name `priceInSol` too.
                     * @example 0.000000029295
                     */
                    priceInSol: string | null;
                    /** @description How much better (positive) or worse (negative) the swap was than quoted, in basis points of the quoted amount; null if the transaction is no swap. */
                    quoteDifferenceBps: number | null;
                } | null;
                /** @description How far the block is settled: `confirmed`, `finalized`, or `reverted` when a fork dropped it; null while nothing has landed. */
                finality: ("confirmed" | "finalized" | "reverted") | null;
                /** @description Why it failed; null if it did not fail. */
                error: {
                    /**
                     * @description Stable identifier. Branch on it.
                     * @enum {string}
                     */
                    code: "solana_transaction_failed" | "transaction_intent_invalid_state" | "transaction_intent_expired" | "transaction_intent_broadcast_exhausted" | "solana_blockhash_expired" | "solana_signature_mismatch";
                    /** @description What happened, in a sentence. Its wording may change. */
                    detail: string;
                } | null;
                /** @description Version of the record, for `If-Match`. */
                version: number;
                /**
                 * Format: date-time
                 * @description When it expires.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string | null;
                /**
                 * Format: date-time
                 * @description When it was submitted; null until then.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                submittedAt: string | null;
                /**
                 * Format: date-time
                 * @description When it ended; null until then.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                completedAt: string | null;
            };
            "build.service.order.opened.v1": components["schemas"]["Order"];
            "build.service.order.triggered.v1": components["schemas"]["Order"];
            "build.service.order.landed.v1": components["schemas"]["Order"];
            "build.service.order.failed.v1": components["schemas"]["Order"];
            "build.service.order.cancelled.v1": components["schemas"]["Order"];
            "build.service.order.expired.v1": components["schemas"]["Order"];
            "build.service.order.voided.v1": components["schemas"]["Order"];
            "build.service.webhook_endpoint.failing.v1": {
                /**
                 * Format: uuid
                 * @description Identifies the record.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /** @description Address to which deliveries are sent: https, on the public internet. */
                url: string;
                /** @description Your description; null if there is none. */
                description: string | null;
                /** @description Event types, prefixes that end in `.*`, or `*`. */
                eventTypes: string[];
                /** @description Only events about these mints and ids are sent; null for all events. At most 100, or 1,000 wallets and mints if `eventTypes` has only trades. */
                subjects: string[] | null;
                /**
                 * @description State of the record.
                 * @enum {string}
                 */
                status: "enabled" | "disabled";
                /** @description Why the endpoint is disabled; null if it is not. */
                disabledReason: ("manual" | "gone" | "failing") | null;
                /**
                 * Format: date-time
                 * @description When the secret was last replaced.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                secretRotatedAt: string;
                /**
                 * Format: date-time
                 * @description Until when the previous secret signs as well; null if there is none.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                previousSecretExpiresAt: string | null;
                /** @description Version of the record, for `If-Match`. */
                version: number;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When the record last changed.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                updatedAt: string;
                /**
                 * Format: date-time
                 * @description Since when deliveries have failed.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                failingSince: string;
            };
            "build.service.webhook_endpoint.disabled.v1": {
                /**
                 * Format: uuid
                 * @description Identifies the record.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /** @description Address to which deliveries are sent: https, on the public internet. */
                url: string;
                /** @description Your description; null if there is none. */
                description: string | null;
                /** @description Event types, prefixes that end in `.*`, or `*`. */
                eventTypes: string[];
                /** @description Only events about these mints and ids are sent; null for all events. At most 100, or 1,000 wallets and mints if `eventTypes` has only trades. */
                subjects: string[] | null;
                /**
                 * @description State of the record.
                 * @enum {string}
                 */
                status: "enabled" | "disabled";
                /** @description Why the endpoint is disabled; null if it is not. */
                disabledReason: ("manual" | "gone" | "failing") | null;
                /**
                 * Format: date-time
                 * @description When the secret was last replaced.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                secretRotatedAt: string;
                /**
                 * Format: date-time
                 * @description Until when the previous secret signs as well; null if there is none.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                previousSecretExpiresAt: string | null;
                /** @description Version of the record, for `If-Match`. */
                version: number;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When the record last changed.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                updatedAt: string;
            };
            "build.service.webhook_endpoint.created.v1": {
                /**
                 * Format: uuid
                 * @description Identifies the record.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /** @description Address to which deliveries are sent: https, on the public internet. */
                url: string;
                /** @description Your description; null if there is none. */
                description: string | null;
                /** @description Event types, prefixes that end in `.*`, or `*`. */
                eventTypes: string[];
                /** @description Only events about these mints and ids are sent; null for all events. At most 100, or 1,000 wallets and mints if `eventTypes` has only trades. */
                subjects: string[] | null;
                /**
                 * @description State of the record.
                 * @enum {string}
                 */
                status: "enabled" | "disabled";
                /** @description Why the endpoint is disabled; null if it is not. */
                disabledReason: ("manual" | "gone" | "failing") | null;
                /**
                 * Format: date-time
                 * @description When the secret was last replaced.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                secretRotatedAt: string;
                /**
                 * Format: date-time
                 * @description Until when the previous secret signs as well; null if there is none.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                previousSecretExpiresAt: string | null;
                /** @description Version of the record, for `If-Match`. */
                version: number;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When the record last changed.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                updatedAt: string;
                /** @description Id of the API key that made the change; null if an operator made it. */
                byKeyId: string | null;
            };
            "build.service.webhook_endpoint.changed.v1": {
                /**
                 * Format: uuid
                 * @description Identifies the record.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /** @description Address to which deliveries are sent: https, on the public internet. */
                url: string;
                /** @description Your description; null if there is none. */
                description: string | null;
                /** @description Event types, prefixes that end in `.*`, or `*`. */
                eventTypes: string[];
                /** @description Only events about these mints and ids are sent; null for all events. At most 100, or 1,000 wallets and mints if `eventTypes` has only trades. */
                subjects: string[] | null;
                /**
                 * @description State of the record.
                 * @enum {string}
                 */
                status: "enabled" | "disabled";
                /** @description Why the endpoint is disabled; null if it is not. */
                disabledReason: ("manual" | "gone" | "failing") | null;
                /**
                 * Format: date-time
                 * @description When the secret was last replaced.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                secretRotatedAt: string;
                /**
                 * Format: date-time
                 * @description Until when the previous secret signs as well; null if there is none.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                previousSecretExpiresAt: string | null;
                /** @description Version of the record, for `If-Match`. */
                version: number;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When the record last changed.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                updatedAt: string;
                /** @description Id of the API key that made the change; null if an operator made it. */
                byKeyId: string | null;
                /** @description Names of the changed fields. */
                changes: ("url" | "description" | "eventTypes" | "subjects" | "status")[];
            };
            "build.service.webhook_endpoint.secret_rotated.v1": {
                /**
                 * Format: uuid
                 * @description Identifies the record.
                 * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                 */
                id: string;
                /** @description Address to which deliveries are sent: https, on the public internet. */
                url: string;
                /** @description Your description; null if there is none. */
                description: string | null;
                /** @description Event types, prefixes that end in `.*`, or `*`. */
                eventTypes: string[];
                /** @description Only events about these mints and ids are sent; null for all events. At most 100, or 1,000 wallets and mints if `eventTypes` has only trades. */
                subjects: string[] | null;
                /**
                 * @description State of the record.
                 * @enum {string}
                 */
                status: "enabled" | "disabled";
                /** @description Why the endpoint is disabled; null if it is not. */
                disabledReason: ("manual" | "gone" | "failing") | null;
                /**
                 * Format: date-time
                 * @description When the secret was last replaced.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                secretRotatedAt: string;
                /**
                 * Format: date-time
                 * @description Until when the previous secret signs as well; null if there is none.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                previousSecretExpiresAt: string | null;
                /** @description Version of the record, for `If-Match`. */
                version: number;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When the record last changed.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                updatedAt: string;
                /** @description Id of the API key that made the change; null if an operator made it. */
                byKeyId: string | null;
            };
            "build.service.api_key.revoked.v1": {
                /**
                 * @description Public part of the key: the third of its parts.
                 * @example 4fGh7Kq2LmNpRsTv
                 */
                keyId: string;
                /** @description Name of the key. */
                name: string;
                /**
                 * Format: date-time
                 * @description When the key was revoked.
                 * @example 2026-11-20T10:00:00.000Z
                 */
                revokedAt: string;
                /**
                 * @description The key that revoked it, which may be the key itself; null if an operator revoked it.
                 * @example 4fGh7Kq2LmNpRsTv
                 */
                revokedByKeyId: string | null;
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
                        /**
                         * @description The Solana cluster.
                         * @enum {string}
                         */
                        cluster: "mainnet-beta" | "devnet" | "testnet" | "localnet";
                        /** @description Hash of the first block, which identifies the chain. */
                        genesisHash: string;
                        /**
                         * @description Mint of wrapped SOL.
                         * @example So11111111111111111111111111111111111111112
                         */
                        nativeMint: string;
                        /** @description Token programs that mints may belong to. */
                        tokenPrograms: {
                            /**
                             * @description Name of the program.
                             * @enum {string}
                             */
                            name: "spl_token" | "token_2022";
                            /**
                             * @description Address of the program.
                             * @example So11111111111111111111111111111111111111112
                             */
                            address: string;
                        }[];
                        /** @description Programs that the service works with. */
                        programs: {
                            /** @description Name of the program. */
                            name: string;
                            /**
                             * @description Address of the program.
                             * @example So11111111111111111111111111111111111111112
                             */
                            address: string;
                        }[];
                        /** @description How tokens are launched on this deployment. */
                        launchTypes: ("dbc" | "pre_raise")[];
                        /** @description Commitment levels that the service uses. */
                        commitments: {
                            /**
                             * @description Commitment at which accounts are read.
                             * @enum {string}
                             */
                            reads: "confirmed";
                            /**
                             * @description Commitment at which balances are read.
                             * @enum {string}
                             */
                            balances: "finalized";
                            /**
                             * @description Commitment at which transactions count as landed.
                             * @enum {string}
                             */
                            submissions: "confirmed";
                        };
                        /** @description Present state of the chain. */
                        network: {
                            /** @description Milliseconds from one slot to the next, as this deployment measured them in the last minute; null until they are measured. */
                            slotMs: number | null;
                            /** @description Blocks per second in the same minute. Skipped slots have no block. Null until it is measured. */
                            blocksPerSecond: number | null;
                            /** @description Number of blocks for which the chain accepts a transaction with a recent blockhash. */
                            blockhashBlocks: number;
                            /**
                             * @description Lamports that an account must hold for each byte of its data and for 128 further bytes; null if no node returns the rent.
                             * @example 1000000
                             */
                            rentLamportsPerByte: string | null;
                            /**
                             * Format: date-time
                             * @description When this was observed.
                             * @example 2026-11-20T10:00:00.000Z
                             */
                            asOf: string;
                        };
                        /** @description Limits of requests and responses, by name. */
                        limits: {
                            [key: string]: number;
                        };
                        /**
                         * Format: date-time
                         * @description When this was observed.
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
                         * @description Account of the key.
                         * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                         */
                        accountId: string;
                        /** @description Public part of the key. */
                        keyId: string;
                        /** @description Name of the key. */
                        name: string;
                        /**
                         * @description Environment of the key.
                         * @enum {string}
                         */
                        environment: "live" | "test";
                        /**
                         * @description Address of the wallet.
                         * @example So11111111111111111111111111111111111111112
                         */
                        walletAddress: string;
                        /** @description Scopes of the key. */
                        scopes: ("operations:read" | "transactions:write" | "staking:read" | "fees:read" | "presales:read" | "predictions:read" | "predictions:write" | "audience:write" | "webhooks:read" | "webhooks:write" | "keys:write")[];
                        /**
                         * Format: date-time
                         * @description When the record was created.
                         * @example 2026-11-20T10:00:00.000Z
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description When the key expires; null if it does not expire.
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
                /** @description Symbol, name or beginning of the address, 1 to 64 characters; not with `sort`, `creatorWallet` or `mints`. */
                query?: string;
                /** @description Only tokens of which this wallet is the creator now. */
                creatorWallet?: string;
                /** @description 1 to 100 mints, separated by commas, each once. The visible ones are returned in this order, whatever `limit` says; no other parameter goes with it. */
                mints?: string;
                /** @description Value by which the list is sorted, the largest first. Default: `launchedAt`, which is the only one that may be combined with `creatorWallet`. */
                sort?: "launchedAt" | "marketCap" | "volume24h" | "trades1h" | "priceChange1h" | "graduationProgress" | "lastTradeAt";
                /** @description Minimum market cap in SOL. */
                minMarketCap?: string;
                /** @description Maximum market cap in SOL. */
                maxMarketCap?: string;
                /** @description Minimum volume of the last 24 hours in SOL. */
                minVolume24h?: string;
                /** @description Maximum volume of the last 24 hours in SOL. */
                maxVolume24h?: string;
                /** @description Minimum number of trades in the last hour. */
                minTrades1h?: number;
                /** @description Minimum change of the price in the last hour, in percent. */
                minPriceChange1h?: string;
                /** @description Maximum change of the price in the last hour, in percent. */
                maxPriceChange1h?: string;
                /** @description Minimum progress to graduation, from 0 to 1. */
                minGraduationProgress?: string;
                /** @description Maximum progress to graduation, from 0 to 1. */
                maxGraduationProgress?: string;
                /** @description Only tokens traded at this time or later. */
                minLastTradeAt?: string;
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
                        /** @description The entries of this page. */
                        data: components["schemas"]["ListedToken"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                /** @description `trade`: the price that traders paid or received, including fees, in trades of at least 100,000 lamports and 10,000 raw units. `spot`: the price of the pool after each trade. */
                price?: "trade" | "spot";
            };
            header?: never;
            path: {
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                /** @description Only the trades of the transaction with this signature. */
                signature?: string;
                /** @description Only the trades of this wallet. */
                traderWallet?: string;
                /** @description Only purchases, or only sales. */
                type?: "buy" | "sell";
                /** @description Only trades of at least this amount of SOL. */
                minSolAmount?: string;
                /** @description Only trades with this block time or a later one. */
                from?: string;
                /** @description Only trades with an earlier block time. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                         * @description When this was observed.
                         * @example 2026-11-20T10:00:00.000Z
                         */
                        asOf: string;
                        /** @description The entries of this page. */
                        data: components["schemas"]["Trade"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
                        code: "cursor_invalid" | "token_not_found" | "market_time_range_invalid" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "market_data_unavailable" | "rate_limit_unavailable";
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
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                /** @description Address of the wallet: base58 of 32 bytes, 32 to 44 characters. */
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
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
    listWalletTrades: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Address of the wallet: base58 of 32 bytes, 32 to 44 characters. */
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
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description For every token of this page, all trades before this time are listed; null on a page without trades.
                         * @example 2026-11-20T10:00:00.000Z
                         */
                        asOf: string | null;
                        /** @description The entries of this page. */
                        data: components["schemas"]["Trade"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
                        code: "cursor_invalid" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "market_data_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listWalletPositions: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Address of the wallet: base58 of 32 bytes, 32 to 44 characters. */
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
                    "application/json": {
                        /** @description The entries of this page. */
                        data: components["schemas"]["Position"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
                        code: "cursor_invalid" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "market_data_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listTokenTopHolders: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                    "application/json": components["schemas"]["TopHolders"];
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
    listTokenTopTraders: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                    "application/json": components["schemas"]["TopTraders"];
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
    getStakingPool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                        /** @description The entries of this page. */
                        data: components["schemas"]["ListedFeeDistribution"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
                /** @description Only presales with this status. */
                status?: "initializing" | "active" | "settling" | "settled" | "refunding" | "failed";
                /** @description Only presales of this token. */
                mint?: string;
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
                        /** @description The entries of this page. */
                        data: components["schemas"]["Presale"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
                /** @description Only rounds with this status. */
                status?: "scheduled" | "open" | "locked" | "settling" | "settled" | "voided";
            };
            header?: never;
            path: {
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                        /** @description The entries of this page. */
                        data: components["schemas"]["PredictionRound"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                /** @description Maximum number of items on one page. Default: 500. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
    listOwnedPredictions: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
                /** @description Only predictions with this status. */
                status?: "accepted" | "settled" | "voided";
                /** @description Only predictions of this round. */
                roundId?: string;
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
                        /** @description The entries of this page. */
                        data: components["schemas"]["Prediction"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
    createPrediction: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The prediction round.
                     * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                     */
                    roundId: string;
                    /**
                     * @description Address of the wallet.
                     * @example So11111111111111111111111111111111111111112
                     */
                    walletAddress: string;
                    /**
                     * @description Predicted price of a whole token.
                     * @example 0.000000029295
                     */
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
                "application/json": {
                    /** @description The prepared transaction with the signature of the wallet filled in, in base64. */
                    signedTransaction: string;
                    /** @description Version of the record, for `If-Match`. */
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
                        /** @description The endpoints. */
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
                "application/json": {
                    /** @description Address to which deliveries are sent: https, on the public internet. */
                    url: string;
                    /** @description Your description; null if there is none. */
                    description?: string | null;
                    /** @description Event types, prefixes that end in `.*`, or `*`. Short names (`order.landed`, `order.*`) are kept in full. */
                    eventTypes?: string[];
                    /** @description Only events about these mints and ids are sent; null for all events. At most 100, or 1,000 wallets and mints if `eventTypes` has only trades. */
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
                         * @description Identifies the record.
                         * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                         */
                        id: string;
                        /**
                         * @description Always true.
                         * @enum {boolean}
                         */
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
                "application/json": {
                    /** @description Address to which deliveries are sent: https, on the public internet. */
                    url?: string;
                    /** @description Your description; null if there is none. */
                    description?: string | null;
                    /** @description Event types, prefixes that end in `.*`, or `*`. Short names (`order.landed`, `order.*`) are kept in full. */
                    eventTypes?: string[];
                    /** @description Only events about these mints and ids are sent; null for all events. At most 100, or 1,000 wallets and mints if `eventTypes` has only trades. */
                    subjects?: string[] | null;
                    /**
                     * @description State of the record.
                     * @enum {string}
                     */
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
                "application/json": {
                    /**
                     * @description Seconds for which the previous secret still signs.
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
                /** @description Only deliveries of events of this type, by its full or short name. */
                eventType?: "build.service.launch.created.v1" | "build.service.launch.graduated.v1" | "build.service.launch.failed.v1" | "build.service.token.curve_completed.v1" | "build.service.token.creator_changed.v1" | "build.service.wallet.traded.v1" | "build.service.token.traded.v1" | "build.service.presale.opened.v1" | "build.service.presale.settled.v1" | "build.service.presale.failed.v1" | "build.service.prediction_round.opened.v1" | "build.service.prediction_round.locked.v1" | "build.service.prediction_round.settled.v1" | "build.service.prediction_round.voided.v1" | "build.service.prediction.submitted.v1" | "build.service.fee_distribution.completed.v1" | "build.service.fees.claimed.v1" | "build.service.operation.succeeded.v1" | "build.service.operation.failed.v1" | "build.service.operation.cancelled.v1" | "build.service.transaction_intent.prepared.v1" | "build.service.transaction_intent.submitted.v1" | "build.service.transaction_intent.confirmed.v1" | "build.service.transaction_intent.failed.v1" | "build.service.transaction_intent.expired.v1" | "build.service.transaction_intent.finalized.v1" | "build.service.transaction_intent.reverted.v1" | "build.service.order.opened.v1" | "build.service.order.triggered.v1" | "build.service.order.landed.v1" | "build.service.order.failed.v1" | "build.service.order.cancelled.v1" | "build.service.order.expired.v1" | "build.service.order.voided.v1" | "build.service.webhook_endpoint.failing.v1" | "build.service.webhook_endpoint.disabled.v1" | "build.service.webhook_endpoint.created.v1" | "build.service.webhook_endpoint.changed.v1" | "build.service.webhook_endpoint.secret_rotated.v1" | "build.service.api_key.revoked.v1" | "build.service.webhook.ping.v1" | "launch.created" | "launch.graduated" | "launch.failed" | "token.curve_completed" | "token.creator_changed" | "wallet.traded" | "token.traded" | "presale.opened" | "presale.settled" | "presale.failed" | "prediction_round.opened" | "prediction_round.locked" | "prediction_round.settled" | "prediction_round.voided" | "prediction.submitted" | "fee_distribution.completed" | "fees.claimed" | "operation.succeeded" | "operation.failed" | "operation.cancelled" | "transaction_intent.prepared" | "transaction_intent.submitted" | "transaction_intent.confirmed" | "transaction_intent.failed" | "transaction_intent.expired" | "transaction_intent.finalized" | "transaction_intent.reverted" | "order.opened" | "order.triggered" | "order.landed" | "order.failed" | "order.cancelled" | "order.expired" | "order.voided" | "webhook_endpoint.failing" | "webhook_endpoint.disabled" | "webhook_endpoint.created" | "webhook_endpoint.changed" | "webhook_endpoint.secret_rotated" | "api_key.revoked" | "webhook.ping";
                /** @description Only deliveries of this event. */
                eventId?: string;
                /** @description Only items created at this time or later. */
                createdAfter?: string;
                /** @description Only items created before this time. */
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
                        /** @description The entries of this page. */
                        data: components["schemas"]["WebhookDelivery"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
    listApiKeys: {
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
                        /** @description The entries of this page. */
                        data: components["schemas"]["ApiKey"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
                        code: "cursor_invalid" | "invalid_api_key" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Public part of an API key: the third of its parts. */
                keyId: string;
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
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "api_key_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getTokenStats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                    "application/json": components["schemas"]["TokenStats"];
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
    listTokenStats: {
        parameters: {
            query: {
                /** @description Mint addresses, separated by commas: 1 to 100, each once. */
                mints: string;
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
                        /** @description The statistics in the order of the mints. A mint without a visible token is left out. */
                        data: components["schemas"]["TokenStats"][];
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
                        code: "validation_failed" | "rate_limit_exceeded" | "internal_error" | "market_data_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getMarketOverview: {
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
                    "application/json": components["schemas"]["MarketOverview"];
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
    createFeeClaims: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Tokens to claim from. Default: all tokens that may pay the wallet, in the order of their mints. */
                    mints?: string[];
                    /**
                     * @description Continues after this token: the `nextMint` of an earlier response.
                     * @example So11111111111111111111111111111111111111112
                     */
                    afterMint?: string;
                    /** @description Kinds of claims to include. Default: all kinds. */
                    kinds?: ("creator_trading_fee" | "partner_trading_fee" | "creator_surplus" | "partner_surplus" | "creator_migration_fee" | "partner_migration_fee" | "leftover" | "position_fee")[];
                    /**
                     * @description Claims that pay less SOL than this are left out. A claim that pays only tokens counts as 0.
                     * @example 100000
                     */
                    minimumLamports?: string;
                    /**
                     * @description Micro-lamports per compute unit, or a level of `getPriorityFees` (`min`, `low`, `medium`, `high`, `veryHigh`), which pays what recent transactions with this pool paid, or `auto`, which pays `high`.
                     * @example auto
                     */
                    computeUnitPrice?: string;
                    /**
                     * @description Maximum priority fee in lamports. The price is lowered until the fee does not exceed it.
                     * @example 10000
                     */
                    maxPriorityLamports?: string;
                    /**
                     * @description Tip to a landing service in lamports, within the bounds that the operator set. Default: the tip that the operator set.
                     * @example 10000
                     */
                    tipLamports?: string;
                    /**
                     * @description Addresses to which the transaction is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
                     * @enum {string}
                     */
                    route?: "fast" | "protected";
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeeClaims"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "fee_claims_empty" | "fee_claims_refused" | "idempotency_key_reused" | "idempotency_request_in_progress" | "send_route_unavailable" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "chain_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listClaimableFees: {
        parameters: {
            query?: {
                /** @description Only these tokens: up to 100 mint addresses, separated by commas. */
                mints?: string;
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Maximum number of tokens whose claims one page covers. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Address of the wallet: base58 of 32 bytes, 32 to 44 characters. */
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
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description When this was observed.
                         * @example 2026-11-20T10:00:00.000Z
                         */
                        asOf: string;
                        /** @description False for a wallet that holds too many NFTs to read them all. Positions that were not created by a migration may then be missing. */
                        positionsComplete: boolean;
                        /** @description The entries of this page. */
                        data: components["schemas"]["ClaimableFees"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
                        code: "cursor_invalid" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "chain_unavailable" | "market_data_unavailable" | "rate_limit_unavailable";
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
                /** @description Only items of this kind: lowercase letters, digits and underscores. */
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
                        /** @description The entries of this page. */
                        data: components["schemas"]["Operation"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
    cancelOperation: {
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
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelledOperation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "operation_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "operation_not_cancellable" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
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
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description A positive amount of raw units. Wallets that hold less are left out. Default: 1. */
                    minimumBalanceRaw?: string;
                    /** @description Maximum number of wallets. Those with the largest balances are exported. */
                    top?: number;
                    /** @description Earliest slot of the snapshot. It may be of a later slot. */
                    minSlot?: string;
                    /**
                     * @description Format of the file.
                     * @enum {string}
                     */
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
                "application/json": {
                    /**
                     * Format: date-time
                     * @description Events from this time on.
                     * @example 2026-11-20T10:00:00.000Z
                     */
                    since: string;
                    /** @description What to send: `missed` for events that have no delivery, `retrying` for deliveries that wait for their next attempt, `dead_letter` or `succeeded` for deliveries that ended so. */
                    statuses?: ("missed" | "retrying" | "dead_letter" | "succeeded")[];
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
    listTransactionIntents: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
                /** @description Only items with this status. */
                status?: "prepared" | "submitted" | "confirmed" | "expired" | "failed";
                /** @description Only items of this kind: lowercase letters, digits and underscores. */
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
                        /** @description The entries of this page. */
                        data: components["schemas"]["TransactionIntentSummary"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
    getTransactionIntentSends: {
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
                    "application/json": components["schemas"]["TransactionIntentSends"];
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
    getLandingReport: {
        parameters: {
            query: {
                /** @description Begin of the range (included), in RFC 3339. */
                from: string;
                /** @description End of the range (excluded), in RFC 3339: at most 31 days after `from`. */
                to: string;
                /** @description Property by which intents are grouped. */
                by?: "route" | "level" | "hour" | "address";
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
                    "application/json": components["schemas"]["LandingReport"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "landing_report_range_invalid" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
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
                        /** @description The entries of this page. */
                        data: components["schemas"]["WebhookAttempt"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
                /** @description Only events of this type: an event type, a prefix that ends in `.*`, both also in short (`order.landed`), or `*`. */
                type?: string;
                /** @description Only events about this mint, presale, round, prediction, operation, intent or endpoint. */
                subject?: string;
                /** @description Only events recorded at this time or later. */
                createdAfter?: string;
                /** @description Only events recorded before this time. */
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
                        /** @description The entries of this page. */
                        data: components["schemas"]["RecordedEvent"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
                /** @description Event id. */
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
    getSwapQuote: {
        parameters: {
            query: {
                /** @description Whether the token is bought or sold. */
                side: "buy" | "sell";
                /** @description Raw units that the wallet pays or, with `exact-out`, gets: lamports of SOL, base units of the token. */
                amountRaw?: string;
                /** @description Share of the wallet’s tokens to sell, in basis points, in place of `amountRaw`. The balance is that of the quote’s slot; the amount is rounded down. */
                amountBps?: number;
                /** @description The wallet whose tokens `amountBps` is a share of; only with `amountBps`. */
                wallet?: string;
                /** @description Which side of the swap `amountRaw` fixes. */
                mode?: "exact-in" | "exact-out";
                /** @description How much worse than quoted the swap may become, in basis points. */
                slippageBps?: number;
                /** @description Fee of an integrator in basis points of the SOL that the wallet pays or that the pool pays out, for the account that the operator registered. */
                platformFeeBps?: number;
            };
            header?: never;
            path: {
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
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
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Whether the token is bought or sold.
                     * @enum {string}
                     */
                    side: "buy" | "sell";
                    /**
                     * @description Raw units that the wallet pays or, with `exact-out`, gets: lamports of SOL, base units of the token.
                     * @example 1000000
                     */
                    amountRaw?: string;
                    /** @description Share of the wallet’s tokens to sell, in basis points, in place of `amountRaw`. The balance is that of the quote’s slot; the amount is rounded down. */
                    amountBps?: number;
                    /**
                     * @description Which side of the swap `amountRaw` fixes.
                     * @enum {string}
                     */
                    mode?: "exact-in" | "exact-out";
                    /**
                     * @description How much worse than quoted the swap may become, in basis points.
                     * @default 50
                     */
                    slippageBps?: number;
                    /**
                     * @description `minimumOutputRaw` or `maximumInputRaw` of an earlier quote, in place of `slippageBps`.
                     * @example 1000000
                     */
                    limitRaw?: string;
                    /** @description Fee of an integrator in basis points of the SOL that the wallet pays or that the pool pays out, for the account that the operator registered. */
                    platformFeeBps?: number;
                    /**
                     * @description Micro-lamports per compute unit, or a level of `getPriorityFees` (`min`, `low`, `medium`, `high`, `veryHigh`), which pays what recent transactions with this pool paid, or `auto`, which pays `high`.
                     * @example auto
                     */
                    computeUnitPrice?: string;
                    /**
                     * @description Maximum priority fee in lamports. The price is lowered until the fee does not exceed it.
                     * @example 10000
                     */
                    maxPriorityLamports?: string;
                    /**
                     * @description Tip to a landing service in lamports, within the bounds that the operator set. Default: the tip that the operator set.
                     * @example 10000
                     */
                    tipLamports?: string;
                    /**
                     * @description Addresses to which the transaction is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
                     * @enum {string}
                     */
                    route?: "fast" | "protected";
                    /**
                     * @description Wire version of the transaction.
                     * @enum {string}
                     */
                    transactionVersion?: "legacy" | "v0" | "v1";
                    /**
                     * @description Whether to simulate the swap in any case. Otherwise it is not simulated if a similar swap was simulated a moment ago.
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
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "token_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "platform_fee_account_missing" | "platform_fee_account_unusable" | "send_route_unavailable" | "swap_quote_outdated" | "swap_refused" | "token_not_tradable" | "request_body_too_large" | "unsupported_content_type" | "swap_amount_out_of_range" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "chain_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listQuotes: {
        parameters: {
            query: {
                /** @description 1 to 20 mints, separated by commas. */
                mints: string;
                /** @description `buy` or `sell`: one value for all mints, or one for each, separated by commas. */
                side: string;
                /** @description Raw units as `amountRaw` of a quote: one value for all mints, or one for each, separated by commas. */
                amountRaw?: string;
                /** @description Shares of the wallet’s tokens to sell, each 1 to 10,000 basis points, in place of `amountRaw`: one value for all mints, or one for each, separated by commas. */
                amountBps?: string;
                /** @description The wallet whose tokens `amountBps` is a share of; only with `amountBps`. */
                wallet?: string;
                /** @description Which side of the swap `amountRaw` fixes. */
                mode?: "exact-in" | "exact-out";
                /** @description How much worse than quoted the swap may become, in basis points. */
                slippageBps?: number;
                /** @description Fee of an integrator in basis points of the SOL that the wallet pays or that the pool pays out, for the account that the operator registered. */
                platformFeeBps?: number;
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
                    "application/json": components["schemas"]["QuoteBasket"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "chain_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getSwapInstructions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Whether the token is bought or sold.
                     * @enum {string}
                     */
                    side: "buy" | "sell";
                    /**
                     * @description Raw units that the wallet pays or, with `exact-out`, gets: lamports of SOL, base units of the token.
                     * @example 1000000
                     */
                    amountRaw?: string;
                    /** @description Share of the wallet’s tokens to sell, in basis points, in place of `amountRaw`. The balance is that of the quote’s slot; the amount is rounded down. */
                    amountBps?: number;
                    /**
                     * @description Which side of the swap `amountRaw` fixes.
                     * @enum {string}
                     */
                    mode?: "exact-in" | "exact-out";
                    /**
                     * @description How much worse than quoted the swap may become, in basis points.
                     * @default 50
                     */
                    slippageBps?: number;
                    /**
                     * @description `minimumOutputRaw` or `maximumInputRaw` of an earlier quote, in place of `slippageBps`.
                     * @example 1000000
                     */
                    limitRaw?: string;
                    /** @description Fee of an integrator in basis points of the SOL that the wallet pays or that the pool pays out, for the account that the operator registered. */
                    platformFeeBps?: number;
                    /**
                     * @description The wallet that swaps and signs. Default: the wallet of the key.
                     * @example So11111111111111111111111111111111111111112
                     */
                    wallet?: string;
                    /**
                     * @description Whether to simulate the swap alone. Send `false` for a swap that needs other instructions before it, such as one that funds the wallet.
                     * @default true
                     */
                    simulate?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SwapInstructions"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "malformed_json" | "invalid_api_key" | "insufficient_scope" | "token_not_found" | "platform_fee_account_missing" | "platform_fee_account_unusable" | "swap_quote_outdated" | "swap_refused" | "token_not_tradable" | "request_body_too_large" | "unsupported_content_type" | "swap_amount_out_of_range" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "chain_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getPriorityFees: {
        parameters: {
            query?: {
                /** @description A token. The prices are of the accounts of its pool that every swap writes. Not together with `accounts`. */
                mint?: string;
                /** @description 1 to 16 accounts that a transaction writes, separated by commas. Without `mint`. */
                accounts?: string;
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
                    "application/json": components["schemas"]["PriorityFees"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "token_not_found" | "token_not_tradable" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "chain_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getPlatformFeeAccount: {
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
                    "application/json": components["schemas"]["PlatformFeeAccount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listLaunches: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
                /** @description Only items with this status. */
                status?: "pending_launch_init" | "bonding" | "failed" | "expired";
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
                        /** @description The entries of this page. */
                        data: components["schemas"]["Launch"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
    createLaunch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the token, at most 32 bytes in UTF-8. */
                    name: string;
                    /** @description Ticker of the token, at most 10 bytes in UTF-8. */
                    symbol: string;
                    /** @description Description by the creator; null if there is none. */
                    description?: string | null;
                    /** @description Address of the picture: https, ipfs or ar, or the `imageUrl` of an uploaded image; null for no picture. */
                    imageUrl?: string | null;
                    /** @description Links of the creator. */
                    links?: {
                        /** @description Telegram address; null if there is none. */
                        telegram?: string | null;
                        /** @description X (Twitter) address; null if there is none. */
                        twitter?: string | null;
                        /** @description Website; null if there is none. */
                        website?: string | null;
                    };
                    /**
                     * @description Name of a launch config from `listLaunchConfigs`. If unset, the default config is used.
                     * @example standard
                     */
                    config?: string;
                    /** @description The creator’s buy in the same transaction; null if there is none. */
                    initialBuy?: {
                        /**
                         * @description Lamports to spend, including the fee.
                         * @example 100000000
                         */
                        amountRaw: string;
                        /** @description How far the price may move against the creator before the buy is refused, in basis points. */
                        slippageBps?: number;
                    } | null;
                    /**
                     * @description Micro-lamports per compute unit, or a level of `getPriorityFees` (`min`, `low`, `medium`, `high`, `veryHigh`), which pays what recent transactions with this pool paid, or `auto`, which pays `high`.
                     * @example auto
                     */
                    computeUnitPrice?: string;
                    /**
                     * @description Maximum priority fee in lamports. The price is lowered until the fee does not exceed it.
                     * @example 10000
                     */
                    maxPriorityLamports?: string;
                    /**
                     * @description Tip to a landing service in lamports, within the bounds that the operator set. Default: the tip that the operator set.
                     * @example 10000
                     */
                    tipLamports?: string;
                    /**
                     * @description Addresses to which the transaction is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
                     * @enum {string}
                     */
                    route?: "fast" | "protected";
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreparedLaunch"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "launch_config_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "launch_limit_reached" | "launch_refused" | "send_route_unavailable" | "request_body_too_large" | "unsupported_content_type" | "launch_buy_out_of_range" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "chain_unavailable" | "launches_unavailable" | "rate_limit_unavailable";
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
                /** @description Launch id. */
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
    listLaunchConfigs: {
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
                        /** @description The configs in the order that the operator set. The first one is the default. */
                        data: components["schemas"]["LaunchConfig"][];
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
                        code: "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getLaunchConfigQuote: {
        parameters: {
            query: {
                /** @description Lamports to spend, including the fee. */
                amountRaw: string;
                /** @description How far the price may move against the creator before the buy is refused, in basis points. */
                slippageBps?: number;
            };
            header?: never;
            path: {
                /** @description Name of the launch config. */
                name: string;
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
                    "application/json": components["schemas"]["LaunchQuote"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "launch_config_not_found" | "launch_buy_out_of_range" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "chain_unavailable" | "launches_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    createCreatorTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mint address of the token: base58 of 32 bytes, 32 to 44 characters. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Wallet that gets the rights of the creator. It need not sign.
                     * @example G4etfwECx7Z9bNojEHhy1fnnstF6V5LTxFV211MoCzzS
                     */
                    newCreatorWallet: string;
                    /**
                     * @description Micro-lamports per compute unit, or a level of `getPriorityFees` (`min`, `low`, `medium`, `high`, `veryHigh`), which pays what recent transactions with this pool paid, or `auto`, which pays `high`.
                     * @example auto
                     */
                    computeUnitPrice?: string;
                    /**
                     * @description Maximum priority fee in lamports. The price is lowered until the fee does not exceed it.
                     * @example 10000
                     */
                    maxPriorityLamports?: string;
                    /**
                     * @description Tip to a landing service in lamports, within the bounds that the operator set. Default: the tip that the operator set.
                     * @example 10000
                     */
                    tipLamports?: string;
                    /**
                     * @description Addresses to which the transaction is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
                     * @enum {string}
                     */
                    route?: "fast" | "protected";
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatorTransfer"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "token_not_found" | "creator_transfer_refused" | "idempotency_key_reused" | "idempotency_request_in_progress" | "send_route_unavailable" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "chain_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    createImage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/png": unknown;
                "image/jpeg": unknown;
                "image/gif": unknown;
                "image/webp": unknown;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "image_limit_reached" | "request_body_too_large" | "unsupported_content_type" | "image_invalid" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "images_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listOrderSlots: {
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
                        /** @description The entries of this page. */
                        data: components["schemas"]["OrderSlot"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
    createOrderSlot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description An existing nonce account whose nonce the wallet of the key may advance; null to create an account.
                     * @example So11111111111111111111111111111111111111112
                     */
                    nonceAddress?: string | null;
                    /**
                     * @description Micro-lamports per compute unit, or a level of `getPriorityFees` (`min`, `low`, `medium`, `high`, `veryHigh`), which pays what recent transactions with this pool paid, or `auto`, which pays `high`.
                     * @example auto
                     */
                    computeUnitPrice?: string;
                    /**
                     * @description Maximum priority fee in lamports. The price is lowered until the fee does not exceed it.
                     * @example 10000
                     */
                    maxPriorityLamports?: string;
                    /**
                     * @description Tip to a landing service in lamports, within the bounds that the operator set. Default: the tip that the operator set.
                     * @example 10000
                     */
                    tipLamports?: string;
                    /**
                     * @description Addresses to which the transaction is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
                     * @enum {string}
                     */
                    route?: "fast" | "protected";
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreparedOrderSlot"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "idempotency_key_reused" | "idempotency_request_in_progress" | "order_slot_exists" | "order_slot_limit_reached" | "order_slot_refused" | "send_route_unavailable" | "request_body_too_large" | "unsupported_content_type" | "nonce_account_unusable" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "chain_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getOrderSlot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Order slot id. */
                slotId: string;
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
                    "application/json": components["schemas"]["OrderSlot"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "order_slot_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    closeOrderSlot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Order slot id. */
                slotId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Micro-lamports per compute unit, or a level of `getPriorityFees` (`min`, `low`, `medium`, `high`, `veryHigh`), which pays what recent transactions with this pool paid, or `auto`, which pays `high`.
                     * @example auto
                     */
                    computeUnitPrice?: string;
                    /**
                     * @description Maximum priority fee in lamports. The price is lowered until the fee does not exceed it.
                     * @example 10000
                     */
                    maxPriorityLamports?: string;
                    /**
                     * @description Tip to a landing service in lamports, within the bounds that the operator set. Default: the tip that the operator set.
                     * @example 10000
                     */
                    tipLamports?: string;
                    /**
                     * @description Addresses to which the transaction is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
                     * @enum {string}
                     */
                    route?: "fast" | "protected";
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderSlotClosure"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "order_slot_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "order_slot_not_ready" | "order_slot_refused" | "send_route_unavailable" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "chain_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; absent for the first one. */
                cursor?: string;
                /** @description Items of one page. */
                limit?: number;
                /** @description Only orders with this status. */
                status?: "unsigned" | "open" | "triggered" | "landed" | "failed" | "cancelled" | "expired" | "voided";
                /** @description Only orders of this token. */
                mint?: string;
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
                        /** @description The entries of this page. */
                        data: components["schemas"]["Order"][];
                        /** @description Position of this page in the list. */
                        page: {
                            /** @description Whether another page follows. */
                            hasMore: boolean;
                            /** @description `cursor` of the next page; null on the last one. */
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
    createOrder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The order slot whose nonce the order is signed with.
                     * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                     */
                    slotId: string;
                    /**
                     * @description Mint of the token.
                     * @example So11111111111111111111111111111111111111112
                     */
                    mint: string;
                    /**
                     * @description Whether the token is bought or sold.
                     * @enum {string}
                     */
                    side: "buy" | "sell";
                    /**
                     * @description Exact amount that the wallet pays, in raw units: lamports for a buy.
                     * @example 1000000
                     */
                    amountRaw: string;
                    /** @description The price at which the order is sent. */
                    trigger: {
                        /**
                         * @description The price of a whole token that you set. Trades are compared with it by `of`: with `spot` their `spotPriceInSol`, with `trade` their `pricePerTokenInSol`. Not 0.
                         * @example 0.000000029295
                         */
                        price: string;
                        /**
                         * @description Whether it triggers at the price and above, or at the price and below.
                         * @enum {string}
                         */
                        when: "at_or_above" | "at_or_below";
                        /**
                         * @description Which price of a trade is compared: the price of the pool after the trade, or the price that the trade paid, including fees. Default: `spot`.
                         * @enum {string}
                         */
                        of?: "trade" | "spot";
                    };
                    /**
                     * @description Minimum amount that the wallet gets, in raw units. Send either this or `slippageBps`.
                     * @example 1000000
                     */
                    limitRaw?: string;
                    /** @description How much less than at the trigger price the wallet may get, in basis points, including fees of the pool. */
                    slippageBps?: number;
                    /** @description A name that orders of one slot share. When one of them lands, the others can never land. Null for an order that has its slot alone. */
                    oco?: string | null;
                    /**
                     * Format: date-time
                     * @description When the order expires, unless it is sent before: from 1 minute to 90 days ahead. Default: 90 days ahead.
                     * @example 2026-11-20T10:00:00.000Z
                     */
                    expiresAt?: string;
                    /**
                     * @description Micro-lamports per compute unit, or a level of `getPriorityFees` (`min`, `low`, `medium`, `high`, `veryHigh`), which pays what recent transactions with this pool paid, or `auto`, which pays `high`.
                     * @example auto
                     */
                    computeUnitPrice?: string;
                    /**
                     * @description Maximum priority fee in lamports. The price is lowered until the fee does not exceed it.
                     * @example 10000
                     */
                    maxPriorityLamports?: string;
                    /**
                     * @description Tip to a landing service in lamports, within the bounds that the operator set. Default: the tip that the operator set.
                     * @example 10000
                     */
                    tipLamports?: string;
                    /**
                     * @description Addresses to which the transaction is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.
                     * @enum {string}
                     */
                    route?: "fast" | "protected";
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreparedOrder"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "order_slot_not_found" | "token_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "order_limit_reached" | "order_slot_in_use" | "order_slot_not_ready" | "send_route_unavailable" | "token_not_tradable" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "chain_unavailable" | "orders_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    signOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Order id. */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The signed transactions; the first of the order must be among them. */
                    transactions: {
                        /**
                         * Format: uuid
                         * @description Id of the transaction.
                         * @example 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e
                         */
                        id: string;
                        /** @description The bytes of `serializedTransaction` with the signature of the wallet, in base64. */
                        signedTransaction: string;
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "order_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "order_nonce_spent" | "order_not_unsigned" | "request_body_too_large" | "unsupported_content_type" | "transaction_intent_invalid_signature" | "transaction_intent_tampered" | "transaction_intent_wrong_signer" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "chain_unavailable" | "orders_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Order id. */
                orderId: string;
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
                    "application/json": components["schemas"]["PreparedOrder"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "invalid_api_key" | "insufficient_scope" | "order_not_found" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Order id. */
                orderId: string;
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
                    "application/json": components["schemas"]["CancelledOrder"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        /** @enum {string} */
                        code: "idempotency_key_invalid" | "malformed_json" | "invalid_api_key" | "insufficient_scope" | "order_not_found" | "idempotency_key_reused" | "idempotency_request_in_progress" | "order_not_cancellable" | "request_body_too_large" | "unsupported_content_type" | "validation_failed" | "rate_limit_exceeded" | "internal_error" | "api_dependency_unavailable" | "rate_limit_unavailable";
                    };
                };
            };
        };
    };
}
