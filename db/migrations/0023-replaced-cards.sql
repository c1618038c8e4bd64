-- A token whose loaded card the partner has replaced by another number, until the vault has deleted it. Before, the card
-- stayed at the vault for good: no row had its token any more. The row and its job are written together with the change,
-- so that the vault need not be available when a card is loaded.
create table replaced_cards (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  token text not null,
  replaced_at timestamptz not null default now()
);
call enable_tenant_isolation('replaced_cards');
grant select, insert, delete on replaced_cards to dineback_app;

create function record_replaced_card() returns trigger language plpgsql as $$
begin
  insert into replaced_cards (partner_id, token) values (old.partner_id, old.token);
  return null;
end
$$;
create trigger record_replaced_card after update of token on partner_cards
  for each row when (old.token <> new.token) execute function record_replaced_card();

select jobs.create_queue('replaced-cards', '{"policy": "short", "notify": true, "deadLetter": "dead-letters",
  "retryBackoff": true, "retryLimit": 20, "retryDelay": 30, "retryDelayMax": 900, "expireInSeconds": 120,
  "retentionSeconds": 7776000, "deleteAfterSeconds": 3600}');
create trigger enqueue_replaced_card after insert on replaced_cards
  for each row execute function enqueue_row_job('replaced-cards');

-- They find who else has a loaded card, and what a holder has entered at the vault.
create index partner_cards_by_token on partner_cards (partner_id, token);
create index card_holders_by_holder on vault.card_holders (holder);

-- Deletions of accounts left cards at the vault that had been entered and not linked. Every other card has an entry of
-- its holder or of the partner.
lock table vault.cards in exclusive mode;
with ownerless as (
  select token from vault.cards c where not exists (select from vault.card_holders h where h.token = c.token)
    and not exists (select from cards k where k.token = c.token)
    and not exists (select from partner_cards p where p.token = c.token)),
  entered as (delete from vault.intents where token in (select token from ownerless))
delete from vault.cards where token in (select token from ownerless);
