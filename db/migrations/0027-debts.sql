-- What an account owes, a balance below zero, outlives it: before, a member could have an award paid out, have the meal
-- refunded, delete the account and join again at zero, without end. What is owed leaves the balance of a deleted account
-- for the ledger account `debt`, and is carried by the next account of the same person or card.
alter table postings drop constraint postings_account_check;
alter table postings add constraint postings_account_check
  check (account in ('member', 'program', 'payout', 'restaurant', 'partner', 'platform', 'debt'));
alter table journal_entries drop constraint journal_entries_kind_check;
alter table journal_entries add constraint journal_entries_kind_check check (kind in (
  'award', 'correction', 'refund', 'statement-credit', 'adjustment', 'returned-credit', 'debt', 'written-off-debt'));

-- One row for each account whose debt has left it, and unit. Its journal entries have the source `debt` and its public
-- id; all amounts are sums over their postings.
create table debts (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique,
  -- The account in which the debt arose.
  member_id bigint not null,
  unit text not null check (unit in ('mile', 'point', 'cent')),
  -- What no account carries at present: minus the sum of its postings to the account `debt`. Below zero, it is to be given
  -- back to those who carried it, because a refund was corrected.
  open_amount bigint not null default 0,
  -- The number of its journal entries.
  versions int not null default 0,
  arose_at timestamptz not null default now(),
  foreign key (partner_id, member_id) references members (partner_id, id),
  unique (partner_id, member_id, unit)
);
create index debts_open on debts (partner_id) where open_amount <> 0;
call enable_tenant_isolation('debts');
grant select, insert, update on debts to dineback_app;

-- A hash also finds the account that it was stored for, and which of its cards, so that a debt reaches the person's next
-- account, also when the refund comes after the deletion. Rows of accounts that were deleted before have neither.
alter table former_member_identifiers drop constraint former_member_identifiers_pkey;
alter table former_member_identifiers add column id bigint generated always as identity primary key;
alter table former_member_identifiers add column member_id bigint;
alter table former_member_identifiers add column card_id bigint references cards;
alter table former_member_identifiers add foreign key (partner_id, member_id) references members (partner_id, id);
create index former_member_identifiers_by_hash on former_member_identifiers (partner_id, identifier_hash);
create index former_member_identifiers_by_member on former_member_identifiers (member_id) where member_id is not null;
