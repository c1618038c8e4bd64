-- The card vault. The application's role has no access to this schema.
create schema vault;
grant usage on schema vault to dineback_vault, dineback_backup;
alter default privileges in schema vault grant select on tables to dineback_backup;
alter default privileges in schema vault grant select on sequences to dineback_backup;

create table vault.cards (
  token text primary key,
  tenant text not null,
  fingerprint text not null,
  -- A key of the card that is the same for every tenant.
  home_key text,
  card_type text not null,
  last_four text not null,
  expires text not null check (expires ~ '^\d{4}-\d{2}$'),
  created_at timestamptz not null default now(),
  unique (tenant, fingerprint)
);

-- The expiry date of a card as each holder has entered it: one holder's input never changes another one's. The empty
-- holder means the partner that loaded the card.
create table vault.card_holders (
  token text not null references vault.cards on delete cascade,
  holder text not null,
  expires text not null check (expires ~ '^\d{4}-\d{2}$'),
  primary key (token, holder)
);

-- Permission to enter one card, bound to tenant and holder; used once.
create table vault.intents (
  id text primary key,
  tenant text not null,
  holder text not null,
  device_session text,
  -- The only page that may embed the frame, and the card brands that its program accepts.
  parent_origin text not null,
  brands text[] not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- What the intent was used for: the same encrypted card may be sent again, another one may not.
  request_hash bytea,
  token text references vault.cards
);
create index intents_by_expiry on vault.intents (expires_at);
grant select, insert, update, delete on vault.cards, vault.card_holders, vault.intents to dineback_vault;
