-- The retries and the lease of a queue are in the code, in the manifest of its module: a process writes them when it
-- starts. A row may come before that, between the migration that adds its trigger and the start: its job was lost, because
-- a queue that does not exist takes none. Now its first job creates the queue, with retries that a start replaces.
create or replace function enqueue_job(queue text, partner text, id text, due timestamptz) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from jobs.queue q where q.name = queue) then
    perform jobs.create_queue(queue, '{"policy": "short", "notify": true, "deadLetter": "dead-letters",
      "retryBackoff": true, "retryLimit": 10, "retryDelay": 30, "retryDelayMax": 900, "expireInSeconds": 120,
      "retentionSeconds": 7776000, "deleteAfterSeconds": 3600}');
  end if;
  update jobs.job j set start_after = least(j.start_after, due)
    where j.name = queue and j.singleton_key = partner || ':' || enqueue_job.id and j.state = 'created';
  if not found then
    insert into jobs.job (name, data, singleton_key, group_id, start_after, keep_until, policy, retry_limit, retry_delay,
      retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, dead_letter)
    select q.name, jsonb_build_object('partnerId', partner, 'id', id), partner || ':' || id, partner, due,
      due + make_interval(secs => q.retention_seconds), q.policy, q.retry_limit, q.retry_delay, q.retry_backoff,
      q.retry_delay_max, q.expire_seconds, q.deletion_seconds, q.dead_letter
    from jobs.queue q where q.name = queue
    on conflict do nothing;
  end if;
  -- Wakes the workers at the commit. The channel is that of pg-boss.
  if due <= now() then
    perform pg_notify('pgboss_' || left(encode(sha224('jobs'::bytea), 'hex'), 24), queue);
  end if;
end
$$;
