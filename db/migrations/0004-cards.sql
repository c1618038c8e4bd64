create table cards (
  id bigint generated always as identity primary key,
  partner_id text not null,
  public_id text not null unique,
  member_id bigint not null,
  token text not null,
  -- Keyed hash of the whole number, made by the vault with a key that only the vault has.
  fingerprint text not null,
  card_type text not null check (card_type in ('VISA', 'AMEX', 'MAST', 'DISC')),
  description text not null,
  last_four text not null check (last_four ~ '^\d{4}$'),
  partner_card_id text,
  linked_at timestamptz not null default now(),
  removed_at timestamptz,
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create unique index cards_linked_once on cards (partner_id, fingerprint) where removed_at is null;
create index cards_by_member on cards (member_id) where removed_at is null;
call build_wall('cards');
grant select, insert, update on cards to dineback_app;

-- Answers of requests that may be sent twice; written in the transaction of their effect.
create table idempotency_keys (
  partner_id text not null references partners,
  scope text not null,
  key text not null check (length(key) between 8 and 200),
  request_hash bytea not null,
  reply jsonb not null,
  created_at timestamptz not null default now(),
  primary key (partner_id, scope, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
call build_wall('idempotency_keys');
grant select, insert, delete on idempotency_keys to dineback_app;

-- The vault's own room. The application's role cannot even look in.
create schema vault;
grant usage on schema vault to dineback_vault;

create table vault.cards (
  token text primary key,
  tenant text not null,
  fingerprint text not null,
  card_type text not null,
  last_four text not null,
  expires text not null check (expires ~ '^\d{4}-\d{2}$'),
  created_at timestamptz not null default now(),
  unique (tenant, fingerprint)
);
-- One permission to bring one card, bound to tenant and holder; used once.
create table vault.intents (
  id text primary key,
  tenant text not null,
  holder text not null,
  -- The only page that may frame this, and the brands its program takes.
  parent_origin text not null,
  brands text[] not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- What it was used for: the same sealed card may be brought again, another may not.
  request_hash bytea,
  token text references vault.cards
);
create index intents_by_expiry on vault.intents (expires_at);
grant select, insert, update, delete on vault.cards, vault.intents to dineback_vault;
