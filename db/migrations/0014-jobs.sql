-- Jobs that rows cause. Triggers enqueue them, in the transaction that writes the row: no code can forget it, and the
-- functions that write into another program enqueue its jobs, too. A job holds the ids of its program and its row, and
-- nothing else, because the queue has no row-level security.

-- Failed jobs of all queues, for an operator to look at.
select jobs.create_queue('dead-letters', '{"policy": "standard", "retentionSeconds": 7776000}');

-- Work that other services are part of is repeated for hours before it fails. `expireInSeconds` is the lease: a job of
-- a process that has ended is repeated after it.
select jobs.create_queue(name, options || '{"policy": "short", "notify": true, "deadLetter": "dead-letters",
  "retryBackoff": true, "retentionSeconds": 7776000, "deleteAfterSeconds": 3600}')
from (values
  ('emails', '{"retryLimit": 7, "retryDelay": 30, "expireInSeconds": 120}'::jsonb),
  ('notifications', '{"retryLimit": 5, "retryDelay": 60, "expireInSeconds": 120}'),
  ('statement-credits', '{"retryLimit": 7, "retryDelay": 60, "expireInSeconds": 120}'),
  ('reservations', '{"retryLimit": 20, "retryDelay": 30, "retryDelayMax": 900, "expireInSeconds": 120}'),
  ('recovery-requests', '{"retryLimit": 5, "retryDelay": 2, "expireInSeconds": 60}'),
  ('claim-decisions', '{"retryLimit": 10, "retryDelay": 5, "retryDelayMax": 900, "expireInSeconds": 60}'),
  ('card-moves', '{"retryLimit": 10, "retryDelay": 5, "retryDelayMax": 900, "expireInSeconds": 120}')
) as queue (name, options);

-- Reviews that the form service passes on to their programs, for as long as they are wanted. This queue has a table of
-- its own: the form service can touch no other jobs.
select jobs.create_queue('review-callbacks', '{"policy": "short", "partition": true, "notify": false,
  "deadLetter": "dead-letters", "retryBackoff": true, "retryDelay": 10, "retryDelayMax": 3600, "retryLimit": 400,
  "expireInSeconds": 60, "retentionSeconds": 7776000, "deleteAfterSeconds": 3600}');

-- Periodic tasks: one for each program or for the installation. A failed one runs again at its next time. The heartbeat
-- ends those of a process that is gone, so that they do not block the next ones for the whole lease.
select jobs.create_queue(name, '{"policy": "exclusive", "notify": true, "retryLimit": 0, "expireInSeconds": 900,
  "heartbeatSeconds": 30, "deleteAfterSeconds": 3600}')
from unnest(array['schedule', 'tasks']) as queue (name);

-- Enqueues the job of a row. A job of the row that still waits is locked instead, so that no worker claims it before this
-- transaction is committed, and is due at the earlier of both times.
create function enqueue_job(queue text, partner text, id text, due timestamptz) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
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
revoke execute on function enqueue_job from public;

-- Enqueues the job of a new or changed row: in the queue of the first argument, after the delay of the second.
create function enqueue_row_job() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  due timestamptz := now() + coalesce(tg_argv[1], '0')::interval;
begin
  if tg_argv[0] = 'notifications' then
    due := new.due_at;
  elsif tg_argv[0] = 'statement-credits' then
    due := new.next_attempt_at;
  end if;
  perform enqueue_job(tg_argv[0], new.partner_id, new.id::text, due);
  return null;
end
$$;

create trigger enqueue_email after insert on emails
  for each row when (new.status = 'waiting') execute function enqueue_row_job('emails');
create trigger enqueue_notification after insert or update of due_at on notifications
  for each row when (new.status = 'waiting') execute function enqueue_row_job('notifications');
create trigger enqueue_statement_credit after insert or update of next_attempt_at on statement_credits
  for each row when (new.status in ('pending', 'pending_received')) execute function enqueue_row_job('statement-credits');
-- The request that started a step normally finishes it; this is for when it did not.
create trigger enqueue_reservation after insert or update of status on reservations
  for each row when (new.status in ('booking', 'canceling')) execute function enqueue_row_job('reservations', '1 minute');
create trigger enqueue_recovery_request after insert on recovery_requests
  for each row execute function enqueue_row_job('recovery-requests');
create trigger enqueue_claim_decision after update of decided_at on claims
  for each row when (new.decided_at is not null and new.settled_at is null) execute function enqueue_row_job('claim-decisions');

-- Each side of a move has work of its own: the owner's program asks and notifies, the other one links the card.
create function enqueue_card_move() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'card_move_requests' and tg_op = 'UPDATE' then
    perform enqueue_job('card-moves', new.to_partner, 'request:' || new.id, now());
  elsif tg_table_name = 'card_move_requests' then
    perform enqueue_job('card-moves', new.from_partner, 'owner:' || new.id, now());
  else
    perform enqueue_job('card-moves', new.from_partner, 'move:' || new.id, now());
  end if;
  return null;
end
$$;
create trigger enqueue_owner_request after insert on card_move_requests
  for each row execute function enqueue_card_move();
create trigger enqueue_allowed_request after update of allowed on card_move_requests
  for each row when (new.allowed and new.done_at is null) execute function enqueue_card_move();
create trigger enqueue_card_move after insert or update of undone_at on card_moves
  for each row execute function enqueue_card_move();

create function enqueue_review_callback() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform enqueue_job('review-callbacks', new.service_code, new.id::text, now());
  return null;
end
$$;
create trigger enqueue_review_callback after insert on forms.responses
  for each row when (new.notify_until is not null) execute function enqueue_review_callback();

revoke execute on function enqueue_row_job, enqueue_card_move, enqueue_review_callback from public;

-- Figures of the queues, for metrics: what has failed for good, and what has been due for over a minute.
create function job_figures() returns table (figure text, partner_id text, state text, value double precision)
  language sql stable security definer set search_path = public, pg_temp as $$
  select 'dead_letters', j.data ->> 'partnerId', j.source_name, count(*)::double precision
    from jobs.job j where j.name = 'dead-letters' and j.state = 'created' group by 2, 3
  union all
  select 'overdue_jobs', coalesce(j.data ->> 'partnerId', ''), j.name, count(*)
    from jobs.job j
    where j.name <> 'dead-letters' and j.state < 'active' and j.start_after < now() - interval '1 minute' group by 2, 3
$$;
revoke execute on function job_figures from public;
grant execute on function job_figures to dineback_console;

-- Workers of the app claim and settle jobs; the console looks at failed ones.
grant usage on schema jobs to dineback_app, dineback_console, dineback_backup;
grant select, insert, update, delete on all tables in schema jobs to dineback_app;
grant select on all tables in schema jobs to dineback_console, dineback_backup;
-- The form service claims and settles its own jobs, and adds failed ones to the dead letters. The policy prevents it from
-- adding jobs to other queues.
alter table jobs.job enable row level security;
create policy all_jobs on jobs.job to dineback_app, dineback_console, dineback_backup using (true) with check (true);
create policy failed_callbacks on jobs.job for insert to dineback_forms with check (name = 'dead-letters');
grant usage on schema jobs to dineback_forms;
grant select on jobs.version, jobs.queue to dineback_forms;
grant insert on jobs.job to dineback_forms;
do $$
begin
  execute (select format('grant select, insert, update, delete on jobs.%I to dineback_forms', table_name)
    from jobs.queue where name = 'review-callbacks');
end
$$;
alter default privileges in schema jobs grant select on tables to dineback_backup;
