-- Lists of transactions in the console: by time, and by what operators look for. Row-level security prevents the use of an
-- index on an expression of `reason`, so what is looked for is a column.
alter table transactions add column reason_code text generated always as (reason ->> 'code') stored;
alter table transactions add column amount_cents bigint generated always as
  (case when stage = 'authorized' then ticket_cents else cleared_cents end) stored;
create index transactions_by_time on transactions (partner_id, occurred_at desc, id desc);
create index transactions_by_last_four on transactions (partner_id, card_last_four, occurred_at desc, id desc);
create index transactions_by_merchant on transactions (partner_id, merchant_id, occurred_at desc, id desc);
create index transactions_by_status on transactions (partner_id, award_status, occurred_at desc, id desc);
create index transactions_by_reason on transactions (partner_id, reason_code, occurred_at desc, id desc);
create index transactions_by_amount on transactions (partner_id, amount_cents, occurred_at desc, id desc);
create index transactions_unmatched_by_time on transactions (partner_id, occurred_at desc, id desc)
  where unmatched is not null;

-- Unmatched transactions that an operator has set aside.
create table ignored_transactions (
  partner_id text not null references partners,
  transaction_id bigint not null,
  reason text not null check (length(reason) between 3 and 200),
  ignored_by text not null,
  ignored_at timestamptz not null default now(),
  primary key (partner_id, transaction_id)
);
create index ignored_transactions_by_time on ignored_transactions (partner_id, ignored_at desc, transaction_id desc);
call enable_tenant_isolation('ignored_transactions');
grant select, insert, delete on ignored_transactions to dineback_app;

-- Further tokens under which the card network reports a card: an operator has attached them.
create table card_tokens (
  partner_id text not null references partners,
  token text not null check (length(token) between 1 and 200),
  card_id bigint not null references cards,
  added_at timestamptz not null default now(),
  primary key (partner_id, token)
);
create index card_tokens_by_card on card_tokens (card_id);
call enable_tenant_isolation('card_tokens');
grant select, insert, update, delete on card_tokens to dineback_app;
-- The card of a deleted account loses its token, and all others with it.
create function forget_card_tokens() returns trigger language plpgsql as $$
begin
  delete from card_tokens where card_id = new.id;
  return null;
end
$$;
create trigger forget_card_tokens after update of token on cards
  for each row when (old.token <> new.token) execute function forget_card_tokens();

-- Messages are replayed by the time at which they came.
create index feed_messages_by_arrival on feed_messages (partner_id, received_at);

-- Every rejected line of a file; `feed_files.faults` has the first hundred only.
create table feed_file_faults (
  partner_id text not null references partners,
  file_id bigint not null references feed_files,
  line bigint not null,
  code text not null,
  texts text[] not null default '{}',
  primary key (file_id, line)
);
call enable_tenant_isolation('feed_file_faults');
grant select, insert, delete on feed_file_faults to dineback_app;

-- Files that operators have uploaded. A job imports them; they stay for thirty days, so that one can be replayed.
create table feed_uploads (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique,
  file_id bigint not null references feed_files,
  format text not null check (format in ('csv', 'ndjson')),
  bytes bytea not null,
  uploaded_by text not null,
  uploaded_at timestamptz not null default now(),
  -- Set again by a replay.
  queued_at timestamptz not null default now(),
  done_at timestamptz,
  failure text
);
create unique index feed_uploads_by_file on feed_uploads (partner_id, file_id);
call enable_tenant_isolation('feed_uploads');
grant select, insert, update, delete on feed_uploads to dineback_app;

select jobs.create_queue('feed-uploads', '{"policy": "short", "notify": true, "deadLetter": "dead-letters",
  "retryBackoff": true, "retryLimit": 20, "retryDelay": 5, "retryDelayMax": 900, "expireInSeconds": 900,
  "retentionSeconds": 7776000, "deleteAfterSeconds": 3600}');
create trigger enqueue_feed_upload after insert or update of queued_at on feed_uploads
  for each row execute function enqueue_row_job('feed-uploads');
