-- The second factor of operators: whoever has a passkey shows it after the password.
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
grant select, insert, update, delete on console.passkeys to dineback_console;

alter table console.sessions
  add column proven_at timestamptz,
  -- The one open question to an authenticator.
  add column challenge text,
  add column challenge_until timestamptz;
