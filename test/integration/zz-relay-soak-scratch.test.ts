import { test, expect } from 'bun:test';
import { createRelayWorld } from '../support/webhook-relay.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
test('soak', async () => {
  const w = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '0.2,0.5,1,2,2,2,2,2' });
  const seen = new Map<string, number>();
  const rx = await startReceiver({ respond: (r, q, i) => { if (i % 7 === 3) { r.writeHead(500).end(); return; } const k=q.path+q.headers['webhook-id']; seen.set(k,(seen.get(k)??0)+1); r.writeHead(204).end(); } });
  const acc = await w.createAccount();
  for (let i=0;i<10;i++) await w.createEndpoint(`${rx.origin}/${i}`,{accountId:acc});
  let stop=false, kills=0;
  const chaos=(async()=>{ let s=7; const rnd=()=>{s=(s*1103515245+12345)&0x7fffffff; return s/0x7fffffff};
    const relays=[w.spawnRelay({LOG_LEVEL:'error'}), w.spawnRelay({LOG_LEVEL:'error'})];
    while(!stop){ await Bun.sleep(300+rnd()*700); const k=Math.floor(rnd()*4);
      if(k<2){ relays[k]!.kill('SIGKILL'); await relays[k]!.exited; relays[k]=w.spawnRelay({LOG_LEVEL:'error'}); }
      else if(k===2){ await w.nats.kill(); await Bun.sleep(200); await w.nats.restart(); }
      else await w.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name='launchwire-relay' and datname=current_database()`;
      kills++; await w.sql`update webhook_deliveries set lease_expires_at = lease_expires_at - interval '12 seconds' where status='processing' and lease_expires_at < now() + interval '16 seconds'`; }
    return relays; })();
  const ids:string[]=[]; 
  for(let i=0;i<600;i++){ const id=await w.append({accountId:acc}); ids.push(id); await w.announce(id).catch(()=>{}); }
  stop=true; const relays=await chaos; console.error('published 600, kills', kills);
  const t=performance.now();
  for(;;){ const r=await w.sql`select status, count(*)::int c from webhook_deliveries where event_id=any(${ids}::uuid[]) group by 1`; 
    const ok=r.find(x=>x.status==='succeeded')?.c??0; if(ok>=6000) break; if(performance.now()-t>50000){console.error([...r]);break}
    await Bun.sleep(500); }
  console.error('settled after', Math.round(performance.now()-t),'ms; unique', seen.size, 'dups', [...seen.values()].filter(n=>n>1).length);
  const [bad]=await w.sql`select count(*)::int c from webhook_deliveries d where status='succeeded' and not exists (select from webhook_attempts a where a.delivery_id=d.id and a.succeeded)`;
  console.error('inconsistent', bad!.c); expect(seen.size).toBe(6000);
  for (const r of relays){ r.kill('SIGTERM'); console.error('exit', await r.exited); const e=await new Response(r.stderr).text(); console.error(e.split('\n').slice(0,3).map(x=>x.slice(0,200)).join('\n')); }
}, 110000);
