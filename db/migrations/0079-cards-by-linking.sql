-- The home page of the console counts the cards that were linked in a week.
create index cards_by_linking on cards (partner_id, linked_at);
