-- The operators' console. The application's role has no access to this schema.
create schema console;
grant usage on schema console to dineback_console, dineback_backup;
alter default privileges in schema console grant select on tables to dineback_backup;
alter default privileges in schema console grant select on sequences to dineback_backup;

create table console.operators (
  id bigint generated always as identity primary key,
  email text not null check (length(email) between 3 and 120),
  name text not null check (length(name) between 1 and 80),
  password_hash text not null,
  role text not null check (role in ('editor', 'support', 'admin')),
  -- The programs that the operator may work on; null: all.
  partners text[],
  -- The code that lets an operator without a passkey add one. Issued with the account, or again on the command line.
  enroll_code_hash bytea check (length(enroll_code_hash) = 32),
  enroll_code_until timestamptz,
  -- Preview passes issued before this time are invalid.
  preview_passes_valid_from timestamptz not null default '-infinity',
  disabled_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index operators_by_email on console.operators (lower(email));
grant select, insert on console.operators to dineback_console;
grant update (password_hash, role, partners, enroll_code_hash, enroll_code_until, preview_passes_valid_from, disabled_at)
  on console.operators to dineback_console;

create table console.sessions (
  id_hash bytea primary key,
  operator_id bigint not null references console.operators,
  csrf_token text not null,
  started_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  -- When the operator used a passkey in this session.
  authenticated_at timestamptz,
  -- The one open challenge for a passkey.
  challenge text,
  challenge_until timestamptz
);

-- Keyed by a keyed hash of the entered name, so that existing and unknown names behave alike.
create table console.login_failures (
  name_hash bytea primary key,
  failures int not null,
  first_failure_at timestamptz not null default now(),
  locked_until timestamptz
);

-- A browser in which an operator has signed in. It is not locked by wrong passwords entered elsewhere.
create table console.known_devices (
  device_hash bytea not null check (length(device_hash) = 32),
  operator_id bigint not null references console.operators,
  used_at timestamptz not null default now(),
  primary key (device_hash, operator_id)
);

-- The second factor: required after the password of operators that have a passkey.
create table console.passkeys (
  id bigint generated always as identity primary key,
  operator_id bigint not null references console.operators,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null default now()
);
create index passkeys_by_operator on console.passkeys (operator_id);

grant select, insert, update, delete
  on console.sessions, console.login_failures, console.known_devices, console.passkeys to dineback_console;

-- Returns whether a preview pass is valid. The only information about the console that the application can read.
create function is_preview_pass_valid(editor text, issued timestamptz) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from console.operators
    where lower(email) = lower(editor) and disabled_at is null and issued > preview_passes_valid_from)
$$;
revoke execute on function is_preview_pass_valid from public;
grant execute on function is_preview_pass_valid to dineback_app;

-- What the console can access of the programs, under the same row-level security as the application.

-- Content studio.
grant select on partners to dineback_console;
grant select, insert on content_versions, content_releases to dineback_console;
grant update (withdrawn_by, withdrawn_at) on content_releases to dineback_console;

-- Support: members, without those that deleted their account, and impersonation.
grant select (id, partner_id, public_id, email, first_name, last_name, member_type, tier_level, active, joined_at,
  deleted_at) on members to dineback_console;
grant select, insert on impersonations to dineback_console;
grant update (ended_at) on impersonations to dineback_console;

-- Claims: the member's transactions around the date of the claim, and unmatched ones.
grant select on claims to dineback_console;
grant update (decision, decided_by, decided_at) on claims to dineback_console;
grant select (id, partner_id, public_id, network_id, member_id, merchant_id, merchant_name, card_last_four, type_code,
  stage, award_status, ticket_cents, cleared_cents, refunded_cents, benefit, unit, reason, unmatched, occurred_at)
  on transactions to dineback_console;
grant select (id, partner_id, last_four) on cards to dineback_console;

-- Settlement, for administrators: sums and transactions, no names of members.
grant select (id, partner_id, source, source_id, posted_at) on journal_entries to dineback_console;
grant select (partner_id, journal_entry_id, account, merchant_id, unit, amount) on postings to dineback_console;
grant select (id, public_id, name, city, state, time_zone) on merchants to dineback_console;
grant select on feed_files to dineback_console;

-- Returns numbers and ages of what waits or has failed, in every program. Contains no personal data.
create function operation_figures() returns table (figure text, partner_id text, state text, value double precision)
  language sql stable security definer set search_path = public, pg_temp as $$
  select 'emails', m.partner_id, m.status, count(*)::double precision
    from emails m where m.status = 'waiting' group by 2, 3
  union all
  select 'emails', m.partner_id, m.status, count(*) from emails m where m.status = 'failed' group by 2, 3
  union all
  select 'notifications', n.partner_id, n.status, count(*) from notifications n where n.status = 'waiting' group by 2, 3
  union all
  select 'notifications', n.partner_id, n.status, count(*) from notifications n where n.status = 'failed' group by 2, 3
  union all
  select 'payouts', s.partner_id, 'waiting', count(*)
    from statement_credits s where s.status in ('pending', 'pending_received') group by 2
  union all
  select 'payouts', s.partner_id, 'failed', count(*)
    from statement_credits s where s.status in ('rejected', 'error') group by 2
  union all
  select 'claims', c.partner_id, 'open', count(*) from claims c where c.decided_at is null group by 2
  union all
  select 'claims', c.partner_id, 'decided', count(*)
    from claims c where c.decided_at is not null and c.settled_at is null group by 2
  union all
  select 'reservations', r.partner_id, 'unsettled', count(*)
    from reservations r where r.status in ('booking', 'canceling') group by 2
  union all
  select 'unmatched_transactions', t.partner_id, t.unmatched, count(*)
    from transactions t where t.unmatched is not null group by 2, 3
  union all
  select 'feed_files', f.partner_id, 'unfinished', count(*) from feed_files f where f.finished_at is null group by 2
  union all
  select 'oldest', m.partner_id, 'email', extract(epoch from now() - min(m.created_at))
    from emails m where m.status = 'waiting' group by 2
  union all
  select 'oldest', s.partner_id, 'payout', extract(epoch from now() - min(s.created_at))
    from statement_credits s where s.status in ('pending', 'pending_received') group by 2
  union all
  select 'oldest', c.partner_id, 'claim', extract(epoch from now() - min(c.opened_at))
    from claims c where c.decided_at is null group by 2
  union all
  select 'oldest', t.partner_id, 'unmatched_transaction', extract(epoch from now() - min(t.occurred_at))
    from transactions t where t.unmatched is not null group by 2
  union all
  select 'oldest', f.partner_id, 'feed_file', extract(epoch from now() - min(f.started_at))
    from feed_files f where f.finished_at is null group by 2
  union all
  -- Messages are append-only, so the newest are at the end of the table, before at most 64 preallocated pages.
  select 'feed_newest_message_age', '', '', extract(epoch from now() - max(f.received_at))
    from feed_messages f
    where f.ctid >= format('(%s,0)', greatest(
      pg_relation_size('feed_messages') / current_setting('block_size')::int - 72, 0))::tid
    having count(*) > 0
$$;
revoke execute on function operation_figures from public;
grant execute on function operation_figures to dineback_console;
